// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// A loop over an array stays inside.
// targets: assert outOfBounds
contract Sum {
    uint256[] values;

    function add(uint256 value) external {
        values.push(value);
    }

    function any(uint256 wanted) external view returns (bool found) {
        for (uint256 i = 0; i < values.length; i++) {
            if (values[i] == wanted) { // expect: outOfBounds safe
                found = true;
            }
        }
        assert(values.length > 0 || !found); // expect: assert safe
    }
}
