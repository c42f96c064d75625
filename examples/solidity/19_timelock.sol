// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// Money that is locked for a day. Releasing twice is not prevented by the time alone.
// targets: assert
contract TimeLock {
    uint256 unlockTime;
    uint256 released;

    function lock() external {
        require(unlockTime == 0 && block.timestamp < 1 << 64);
        unlockTime = block.timestamp + 1 days;
        assert(unlockTime > block.timestamp); // expect: assert safe
    }

    function release() external {
        require(unlockTime != 0 && block.timestamp >= unlockTime);
        released += 1;
        assert(block.timestamp >= 1 days); // expect: assert safe
        assert(released == 1); // expect: assert unsafe
    }
}
