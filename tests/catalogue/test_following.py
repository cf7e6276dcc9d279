"""Commands that go on beside the server: they do their work again and again, and end when they should."""

import os
import signal

from catalogue import following


def test_the_work_is_done_again_until_somebody_interrupts_it() -> None:
    done: list[int] = []

    def work() -> None:
        done.append(len(done))
        if len(done) == 3:
            raise KeyboardInterrupt

    following.follow(work, every=0)
    assert done == [0, 1, 2]


def test_an_interrupt_while_it_waits_ends_it_without_a_word() -> None:
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        following.follow(lambda: signal.setitimer(signal.ITIMER_REAL, 0.01), every=3600)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_who_is_left_by_its_parent_does_nothing_more() -> None:
    done: list[int] = []
    following.follow(lambda: done.append(1), every=0, parent=os.getpid())
    assert done == []
    assert not following.is_orphan(os.getppid())
    assert not following.is_orphan(None)
