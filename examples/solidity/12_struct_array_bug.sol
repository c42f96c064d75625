// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// Orders in an array of structures; an order can be filled twice.
// targets: assert
contract Orders {
    struct Order {
        uint256 amount;
        bool filled;
    }
    Order[] orders;
    uint256 fills;

    function add(uint256 amount) external {
        orders.push(Order(amount, false));
    }

    function fill(uint256 index) external {
        require(index < orders.length);
        orders[index].filled = true;
        fills += 1;
        assert(fills <= orders.length); // expect: assert unsafe
    }
}
