// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// Nobody thought of a transfer to oneself: the new balances are computed first, and the second one wins.
// targets: assert
contract Token {
    mapping(address => uint256) balances;

    function mint(uint256 amount) external {
        balances[msg.sender] = amount;
    }

    function transfer(address to, uint256 amount) external {
        uint256 old = balances[msg.sender];
        require(amount > 0 && amount <= old && balances[to] < 1 << 128 && amount < 1 << 128);
        uint256 less = old - amount;
        uint256 more = balances[to] + amount;
        balances[msg.sender] = less;
        balances[to] = more;
        assert(balances[msg.sender] <= old); // expect: assert unsafe
    }
}
