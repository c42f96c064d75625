// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// The lock is missing: who is paid can call back and deposit before the books are compared.
// targets: assert
contract Bank {
    mapping(address => uint256) balance;

    function deposit() external payable {
        balance[msg.sender] += msg.value;
    }

    function withdraw(uint256 amount) external {
        uint256 before = balance[msg.sender];
        require(before >= amount);
        balance[msg.sender] = before - amount;
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent);
        assert(balance[msg.sender] == before - amount); // expect: assert unsafe
    }
}
