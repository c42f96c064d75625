// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// A structure whose fields belong together.
// targets: assert
contract Account {
    struct Book {
        uint256 credit;
        uint256 debit;
        bool open;
    }
    Book book;

    function open() external {
        require(!book.open);
        book = Book(0, 0, true);
    }

    function pay(uint256 amount) external {
        require(book.open && amount <= book.credit - book.debit);
        book.debit += amount;
        assert(book.debit <= book.credit); // expect: assert safe
    }

    function earn(uint256 amount) external {
        require(book.open);
        book.credit += amount;
        assert(book.credit >= book.debit); // expect: assert safe
    }
}
