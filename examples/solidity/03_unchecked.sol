// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// Arithmetic that wraps around, and arithmetic that does not.
// targets: assert
contract Wrap {
    function wrapping(uint8 a, uint8 b) external pure returns (uint8 c) {
        unchecked {
            c = a + b;
        }
        assert(c >= a); // expect: assert unsafe
    }

    function careful(uint8 a, uint8 b) external pure returns (uint8 c) {
        require(a < 128 && b < 128);
        unchecked {
            c = a + b;
        }
        assert(c >= a); // expect: assert safe
    }
}
