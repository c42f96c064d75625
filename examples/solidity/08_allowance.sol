// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// Nested mappings: who may spend how much of whose money.
// targets: assert
contract Allowance {
    mapping(address => mapping(address => uint256)) allowed;

    function approve(address spender, uint256 amount) external {
        allowed[msg.sender][spender] = amount;
        assert(allowed[msg.sender][spender] == amount); // expect: assert safe
    }

    function spend(address owner, uint256 amount) external {
        uint256 before = allowed[owner][msg.sender];
        require(amount <= before);
        allowed[owner][msg.sender] = before - amount;
        assert(allowed[owner][msg.sender] + amount == before); // expect: assert safe
        assert(allowed[owner][msg.sender] < before); // expect: assert unsafe
    }
}
