// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// A bank that settles its books before it pays out, so that nobody can draw twice.
// targets: assert underflow
contract Bank {
    mapping(address => uint256) balance;
    bool locked;

    modifier exclusive() {
        require(!locked);
        locked = true;
        _;
        locked = false;
    }

    function deposit() external payable exclusive {
        balance[msg.sender] += msg.value;
    }

    function withdraw(uint256 amount) external exclusive {
        uint256 before = balance[msg.sender];
        require(before >= amount);
        balance[msg.sender] = before - amount; // expect: underflow safe
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent);
        assert(balance[msg.sender] == before - amount); // expect: assert safe, underflow safe
    }
}
