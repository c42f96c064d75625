// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// An auction: the highest bid only grows, and nothing happens after the end.
// targets: assert
contract Auction {
    address highestBidder;
    uint256 highestBid;
    bool ended;
    mapping(address => uint256) refunds;

    function bid() external payable {
        require(!ended);
        require(msg.value > highestBid);
        uint256 before = highestBid;
        refunds[highestBidder] += highestBid;
        highestBidder = msg.sender;
        highestBid = msg.value;
        assert(highestBid > before); // expect: assert safe
    }

    function end() external {
        require(!ended);
        ended = true;
        assert(highestBid == 0 || highestBidder == highestBidder); // expect: assert safe
        assert(highestBid != 7); // expect: assert unsafe
    }
}
