// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// A counter that stays below its limit.
// targets: assert overflow
contract Counter {
    uint256 count;

    function increment() external {
        require(count < 100);
        count += 1; // expect: overflow safe
        assert(count <= 100); // expect: assert safe
    }

    function reset() external {
        count = 0;
    }
}
