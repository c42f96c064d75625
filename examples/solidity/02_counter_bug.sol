// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// The limit is checked before the step, and the step may be large: it takes two calls to pass it.
// targets: assert
contract Counter {
    uint256 count;

    function add(uint256 step) external {
        require(step < 10);
        require(count < 15);
        count += step;
        assert(count < 20); // expect: assert unsafe
    }
}
