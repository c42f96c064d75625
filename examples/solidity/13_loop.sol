// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// A loop that counts up to its bound.
// targets: assert
contract Loop {
    function count(uint256 n) external pure returns (uint256 sum) {
        require(n < 1000);
        uint256 i = 0;
        while (i < n) {
            i += 1;
            sum += 2;
        }
        assert(i == n); // expect: assert safe
        assert(sum == 2 * n); // expect: assert safe
        assert(sum != 6); // expect: assert unsafe
    }
}
