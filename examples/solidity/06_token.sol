// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// A transfer keeps the sum of the two accounts that it touches.
// targets: assert
contract Token {
    mapping(address => uint256) balances;

    constructor() {
        balances[msg.sender] = 1_000_000;
    }

    function transfer(address to, uint256 amount) external {
        require(to != msg.sender);
        uint256 sum = balances[msg.sender] + balances[to];
        balances[msg.sender] -= amount;
        balances[to] += amount;
        assert(balances[msg.sender] + balances[to] == sum); // expect: assert safe
    }
}
