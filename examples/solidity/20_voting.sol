// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// Everybody votes once; the counts of the two sides add up.
// targets: assert
contract Voting {
    mapping(address => bool) voted;
    uint128 yes;
    uint128 no;
    uint128 total;

    function vote(bool side) external {
        require(!voted[msg.sender]);
        voted[msg.sender] = true;
        if (side) {
            yes += 1;
        } else {
            no += 1;
        }
        total += 1;
        assert(voted[msg.sender]); // expect: assert safe
    }

    function close() external view {
        assert(uint256(yes) + uint256(no) == total); // expect: assert safe
        assert(yes <= 1); // expect: assert unsafe
    }
}
