// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

contract Owned {
    address owner;

    constructor() {
        owner = msg.sender;
    }

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    function transferOwnership(address to) public virtual onlyOwner {
        require(to != address(0));
        owner = to;
    }
}

/// Inheritance and modifiers: only the owner sets the price, in either contract.
// targets: assert
contract Shop is Owned {
    uint256 price = 1;

    function setPrice(uint256 newPrice) external onlyOwner {
        require(newPrice > 0);
        price = newPrice;
        assert(msg.sender == owner); // expect: assert safe
    }

    function transferOwnership(address to) public override {
        super.transferOwnership(to);
        assert(owner == to); // expect: assert safe
    }

    function buy() external view {
        assert(price > 0); // expect: assert safe
        assert(price < 1000); // expect: assert unsafe
    }
}
