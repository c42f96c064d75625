// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// A list of numbers: every access is inside, but one.
// targets: assert outOfBounds popEmptyArray
contract List {
    uint256[] items;

    function push(uint256 item) external {
        items.push(item);
        assert(items.length > 0); // expect: assert safe
        assert(items[items.length - 1] == item); // expect: assert safe, outOfBounds safe
    }

    function pop() external {
        require(items.length > 0);
        items.pop(); // expect: popEmptyArray safe
    }

    function first() external view returns (uint256) {
        return items[0]; // expect: outOfBounds unsafe
    }
}
