// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// The states of an order, and the ways between them.
// targets: assert
contract Shipment {
    enum State { Created, Paid, Shipped, Received }
    State state;

    function pay() external {
        require(state == State.Created);
        state = State.Paid;
    }

    function ship() external {
        require(state == State.Paid);
        state = State.Shipped;
    }

    function receiveGoods() external {
        State before = state;
        require(before != State.Created && before != State.Paid);
        state = State.Received;
        assert(before == State.Shipped); // expect: assert unsafe
    }

    function check() external view {
        assert(uint8(state) <= 3); // expect: assert safe
    }
}
