// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// Flags in the bits of a byte.
// targets: assert
contract Flags {
    uint8 flags;

    function set(uint8 mask) external {
        require(mask == 1 || mask == 2 || mask == 4);
        flags = flags | mask;
        assert(flags & mask == mask); // expect: assert safe
    }

    function clear() external {
        flags = flags & 1;
        assert(flags <= 1); // expect: assert safe
        assert(flags != 1); // expect: assert unsafe
    }
}
