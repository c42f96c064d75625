// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// Signed numbers: a thermostat, and a rounding that goes towards zero.
// targets: assert divByZero
contract Thermostat {
    int256 temperature;

    function change(int256 by) external {
        require(by >= -5 && by <= 5);
        require(temperature > -20 && temperature < 40);
        temperature += by;
        assert(temperature >= -25); // expect: assert safe
        assert(temperature > -24); // expect: assert unsafe
    }

    function half(int256 x) external pure returns (int256 y) {
        require(x > -1000 && x < 1000);
        y = x / 2; // expect: divByZero safe
        assert(x >= 0 || y <= 0); // expect: assert safe
    }
}
