//! `pfs::crossbeam` has crossbeam's interface where it wraps it, and its semantics; the rest is crossbeam's own.

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam::channel as raw;
use pfs::crossbeam::channel::{
    IntoIter, Iter, Receiver, RecvError, RecvTimeoutError, Select, SendError, SendTimeoutError, Sender,
    TryIter, TryRecvError, TrySendError, after, at, bounded, never, select, select_biased, tick, unbounded,
};
use pfs::crossbeam::sync::{Parker, ShardedLock, Unparker, WaitGroup};
use pfs::crossbeam::thread::{ScopedJoinHandle, scope};

/// Nothing: pfs is not started here. `crossbeam_started.rs` runs the same tests on one that is.
#[allow(dead_code, reason = "not called where these tests are a module")]
fn begin() {}

/// Longer than any step of a test that works takes.
const LONG: Duration = Duration::from_mins(10);
const SHORT: Duration = Duration::from_millis(5);

#[test]
fn messages_arrive_in_order_and_once() {
    crate::begin();
    const MESSAGES: u32 = 500;
    for channel in [unbounded as fn() -> _, || bounded(0), || bounded(1), || bounded(7)] {
        let (sender, receiver): (Sender<u32>, Receiver<u32>) = channel();
        std::thread::scope(|threads| {
            threads.spawn(move || (0..MESSAGES).for_each(|message| sender.send(message).unwrap()));
            assert!(receiver.iter().eq(0..MESSAGES));
        });
        // Several at both ends.
        let (sender, receiver) = channel();
        let total = std::thread::scope(|threads| {
            for _ in 0..3 {
                let sender = sender.clone();
                threads.spawn(move || (0..MESSAGES).for_each(|message| sender.send(message).unwrap()));
            }
            drop(sender);
            let readers = [(); 2].map(|()| {
                let receiver = receiver.clone();
                threads.spawn(move || receiver.into_iter().sum::<u32>())
            });
            readers.into_iter().map(|reader| reader.join().unwrap()).sum::<u32>()
        });
        assert_eq!(total, 3 * MESSAGES * (MESSAGES - 1) / 2);
    }
}

#[test]
fn every_way_to_send() {
    crate::begin();
    let (sender, receiver) = bounded(1);
    assert_eq!(sender.send(1), Ok(()));
    assert_eq!(sender.try_send(2), Err(TrySendError::Full(2)));
    assert_eq!(sender.send_timeout(3, SHORT), Err(SendTimeoutError::Timeout(3)));
    assert_eq!(sender.send_deadline(4, Instant::now() + SHORT), Err(SendTimeoutError::Timeout(4)));
    assert_eq!(receiver.recv(), Ok(1));
    assert_eq!(sender.send_timeout(5, Duration::ZERO), Ok(()));
    assert_eq!(receiver.recv(), Ok(5));
    assert_eq!(sender.send_deadline(6, Instant::now()), Ok(()));
    std::thread::scope(|threads| {
        let blocked = threads.spawn(|| (sender.send(7), sender.send_timeout(8, LONG)));
        assert_eq!((receiver.recv(), receiver.recv(), receiver.recv()), (Ok(6), Ok(7), Ok(8)));
        assert_eq!(blocked.join().unwrap(), (Ok(()), Ok(())));
    });
    drop(receiver);
    assert_eq!(sender.send(1), Err(SendError(1)));
    assert_eq!(sender.try_send(2), Err(TrySendError::Disconnected(2)));
    assert_eq!(sender.send_timeout(3, LONG), Err(SendTimeoutError::Disconnected(3)));
    assert_eq!(sender.send_deadline(4, Instant::now() + LONG), Err(SendTimeoutError::Disconnected(4)));
}

#[test]
fn every_way_to_receive() {
    crate::begin();
    let (sender, receiver) = unbounded();
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
    assert_eq!(receiver.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
    assert_eq!(receiver.recv_deadline(Instant::now()), Err(RecvTimeoutError::Timeout));
    (0..6).for_each(|message| sender.send(message).unwrap());
    assert_eq!(receiver.recv(), Ok(0));
    assert_eq!(receiver.try_recv(), Ok(1));
    assert_eq!(receiver.recv_timeout(Duration::ZERO), Ok(2));
    assert_eq!(receiver.recv_deadline(Instant::now()), Ok(3));
    assert_eq!(receiver.try_iter().collect::<Vec<_>>(), [4, 5]);
    drop(sender);
    assert_eq!(receiver.recv(), Err(RecvError));
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
    assert_eq!(receiver.recv_timeout(LONG), Err(RecvTimeoutError::Disconnected));
    assert_eq!(receiver.recv_deadline(Instant::now() + LONG), Err(RecvTimeoutError::Disconnected));
    assert_eq!(
        (receiver.iter().next(), (&receiver).into_iter().next(), receiver.into_iter().next()),
        (None, None, None)
    );
}

#[test]
fn clocks_send() {
    crate::begin();
    static NOTHING: Receiver<u8> = never();
    let start = Instant::now();
    assert!(after(SHORT).recv().unwrap() >= start + SHORT);
    assert_eq!(at(start).recv(), Ok(start));
    let ticker = tick(SHORT);
    assert!(ticker.recv().unwrap() >= start + SHORT);
    assert!(ticker.iter().take(2).all(|moment| moment >= start + 2 * SHORT));
    assert_eq!(NOTHING.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
}

/// What is not wrapped is reached through the ends themselves.
#[test]
fn the_ends_are_crossbeam_s_inside() {
    crate::begin();
    fn takes(sender: &raw::Sender<u8>, receiver: raw::Receiver<u8>) -> usize {
        sender.send(1).unwrap();
        let len = receiver.len();
        drop(receiver);
        len
    }
    let (sender, receiver) = bounded(2);
    assert_eq!(takes(&sender, (*receiver).clone()), 1);
    assert_eq!(
        (sender.len(), sender.capacity(), sender.is_full(), sender.is_empty()),
        (1, Some(2), false, false)
    );
    assert_eq!((receiver.len(), receiver.capacity(), receiver.is_full()), (1, Some(2), false));
    let other = unbounded();
    assert!(sender.same_channel(&sender.clone()) && !sender.same_channel(&other.0));
    assert!(receiver.same_channel(&receiver.clone()) && !receiver.same_channel(&other.1));
}

#[test]
fn a_selection_is_what_crossbeam_s_is() {
    crate::begin();
    fn not_evaluated() -> u8 {
        panic!("it is full")
    }
    let word = String::from("word");
    let (numbers, number) = unbounded();
    let (texts, text) = unbounded::<String>();
    let full = bounded(1);
    full.0.send(1).unwrap();
    numbers.send(7).unwrap();
    // Only one is ready; what is not selected is not evaluated.
    let seen = select! {
        recv(number) -> number => number.unwrap(),
        recv(text) -> text => text.unwrap().len(),
        send(full.0, not_evaluated()) -> sent => { sent.unwrap(); 0 }
    };
    assert_eq!(seen, 7);
    texts.send("four".to_owned()).unwrap();
    // By reference, with control flow, and nested.
    let receivers = [&number, &number];
    let mut rounds = 0;
    let found = loop {
        rounds += 1;
        select! {
            recv(receivers[0]) -> _ => unreachable!(),
            recv(&text) -> text => {
                let text = text.unwrap();
                select! {
                    recv(number) -> _ => unreachable!(),
                    default(SHORT) => break text,
                }
            },
            recv(after(LONG)) -> _ => (),
        }
    };
    assert_eq!((found.as_str(), rounds), ("four", 1));
    // Never blocks.
    select! {
        recv(number) -> _ => unreachable!(),
        default => rounds += 1,
    }
    select! {
        recv(number) -> _ => unreachable!(),
        default() => rounds += 1,
    }
    assert_eq!(rounds, 3);
    // A message that is sent, and its value from an expression with a borrow.
    let (to, sent) = bounded(1);
    select! {
        send(to, word.as_str()) -> result => assert_eq!(result, Ok(())),
        recv(never::<u8>()) -> _ => unreachable!(),
    }
    assert_eq!(sent.recv(), Ok("word"));
    // In order.
    numbers.send(1).unwrap();
    to.send("ready").unwrap();
    for _ in 0..20 {
        select_biased! {
            recv(sent) -> word => to.send(word.unwrap()).unwrap(),
            recv(number) -> _ => unreachable!("the first is ready"),
        }
    }
    // One operation.
    assert_eq!(select! { recv(number) -> number => number }, Ok(1));
    drop(numbers);
    select!(recv(number) -> number => assert_eq!(number, Err(RecvError)));
}

#[test]
fn a_selection_leaves_by_return_and_question_mark() {
    crate::begin();
    fn first(left: &Receiver<u8>, right: &Receiver<u8>) -> Result<u8, RecvError> {
        let left = select! {
            recv(left) -> left => left?,
            recv(right) -> right => return right,
        };
        Ok(left + 100)
    }
    let (left, right) = (unbounded(), unbounded());
    right.0.send(1).unwrap();
    assert_eq!(first(&left.1, &right.1), Ok(1));
    left.0.send(2).unwrap();
    assert_eq!(first(&left.1, &right.1), Ok(102));
    drop(left.0);
    assert_eq!(first(&left.1, &right.1), Err(RecvError));
}

#[test]
fn a_dynamic_selection_is_what_crossbeam_s_is() {
    crate::begin();
    let (first, second) = (bounded(1), bounded::<&str>(1));
    let mut select = Select::new();
    let receive = select.recv(&first.1);
    let send = select.send(&second.0);
    let selected = select.select();
    assert_eq!(selected.index(), send);
    selected.send(&second.0, "sent").unwrap();
    assert!(select.try_select().is_err() && select.try_ready().is_err());
    assert!(select.select_timeout(SHORT).is_err() && select.ready_timeout(SHORT).is_err());
    assert!(
        select.select_deadline(Instant::now()).is_err() && select.ready_deadline(Instant::now()).is_err()
    );
    first.0.send(1).unwrap();
    assert_eq!((select.ready(), select.try_ready()), (receive, Ok(receive)));
    assert_eq!(
        (select.ready_timeout(LONG), select.ready_deadline(Instant::now() + LONG)),
        (Ok(receive), Ok(receive))
    );
    let mut copy = select.clone();
    copy.remove(receive);
    assert!(copy.try_ready().is_err());
    let selected = select.select_timeout(LONG).unwrap();
    assert_eq!(selected.recv(&first.1), Ok(1));
    first.0.send(2).unwrap();
    assert_eq!(select.select_deadline(Instant::now()).unwrap().recv(&first.1), Ok(2));
    first.0.send(3).unwrap();
    assert_eq!(select.try_select().unwrap().recv(&first.1), Ok(3));

    let mut biased = Select::new_biased();
    let both = [biased.recv(&second.1), biased.send(&first.0)];
    assert_eq!((0..20).map(|_| biased.ready()).filter(|ready| *ready == both[0]).count(), 20);
    let outcome = std::panic::catch_unwind(|| Select::default().ready());
    assert!(outcome.is_err());
}

#[test]
fn parks_and_groups_wait() {
    crate::begin();
    let parker = Parker::new();
    let unparker: Unparker = parker.unparker().clone();
    unparker.unpark();
    parker.park();
    unparker.unpark();
    parker.park_timeout(LONG);
    unparker.unpark();
    parker.park_deadline(Instant::now() + LONG);
    parker.park_timeout(SHORT);
    parker.park_deadline(Instant::now());
    let raw = Parker::into_raw(parker);
    // SAFETY: from `into_raw`, used once.
    let parker = unsafe { Parker::from_raw(raw) };
    std::thread::scope(|threads| {
        threads.spawn(|| unparker.unpark());
        parker.park();
    });
    drop(Parker::default());

    let group = WaitGroup::new();
    let done = Arc::new(std::sync::atomic::AtomicU32::new(0));
    for _ in 0..3 {
        let (group, done) = (group.clone(), done.clone());
        std::thread::spawn(move || {
            done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            drop(group);
        });
    }
    group.wait();
    assert_eq!(done.load(std::sync::atomic::Ordering::Relaxed), 3);
    WaitGroup::default().wait();
    assert_eq!(*ShardedLock::new(1).read().unwrap(), 1);
}

#[test]
fn scoped_threads_borrow_nest_and_are_joined() {
    crate::begin();
    let (mut written, read) = (0, vec![1, 2, 3]);
    let total = pfs::crossbeam::scope(|scope| {
        scope.spawn(|scope| {
            // Nested, and joined by the scope.
            scope.spawn(|_| written = read.len());
        });
        let sum: ScopedJoinHandle<'_, i32> = scope.spawn(|_| read.iter().sum());
        let named = scope.builder().name("named".to_owned()).stack_size(128 * 1024);
        let named = named.spawn(|_| std::thread::current().name().map(str::to_owned)).unwrap();
        assert_eq!(named.thread().name(), Some("named"));
        assert_eq!(named.join().unwrap().as_deref(), Some("named"));
        sum.join().unwrap()
    });
    assert_eq!((written, total.unwrap()), (3, 6));
    // Panics come out of `join`, and of the scope if nobody joined.
    let panics = scope(|scope| {
        let failed = scope.spawn(|_| -> u8 { std::panic::resume_unwind(Box::new(7_u32)) });
        assert_eq!(failed.join().unwrap_err().downcast_ref::<u32>(), Some(&7));
        scope.spawn(|_| std::panic::resume_unwind(Box::new(8_u32)));
    });
    let panics = panics.unwrap_err().downcast::<Vec<Box<dyn std::any::Any + Send>>>().unwrap();
    assert_eq!(panics.iter().map(|panic| *panic.downcast_ref::<u32>().unwrap()).collect::<Vec<_>>(), [8]);
}

#[cfg(unix)]
#[test]
fn a_scoped_handle_has_its_pthread() {
    crate::begin();
    use std::os::unix::thread::JoinHandleExt;

    scope(|scope| {
        let parked = scope.spawn(|_| std::thread::park());
        let id = parked.as_pthread_t();
        parked.thread().unpark();
        assert_eq!(parked.into_pthread_t(), id);
    })
    .unwrap();
}

#[test]
fn text_is_that_of_crossbeam() {
    crate::begin();
    fn text(value: impl Debug) -> [String; 2] {
        [format!("{value:?}"), format!("{value:#?}")]
    }
    let (ours, theirs) = (unbounded::<u8>(), raw::unbounded::<u8>());
    assert_eq!((text(&ours.0), text(&ours.1)), (text(&theirs.0), text(&theirs.1)));
    assert_eq!(text(ours.1.iter()), text(theirs.1.iter()));
    assert_eq!(text(ours.1.try_iter()), text(theirs.1.try_iter()));
    assert_eq!(text(ours.1.into_iter()), text(theirs.1.into_iter()));
    assert_eq!(text(Select::new()), text(raw::Select::new()));
    assert_eq!(text(Parker::new()), text(crossbeam::sync::Parker::new()));
    assert_eq!(text(WaitGroup::new()), text(crossbeam::sync::WaitGroup::new()));
    let ours = scope(|scope| [text(scope), text(scope.builder()), text(scope.spawn(|_| ()))]);
    let theirs = crossbeam::scope(|scope| [text(scope), text(scope.builder()), text(scope.spawn(|_| ()))]);
    assert_eq!(ours.unwrap(), theirs.unwrap());
}

/// That this compiles is the test.
#[test]
fn automatic_traits_are_those_of_crossbeam() {
    crate::begin();
    fn shared<T: Send + Sync + Unpin>() {}
    fn safe<T: UnwindSafe + RefUnwindSafe>() {}
    shared::<(Sender<u8>, Receiver<std::cell::Cell<u8>>, Select<'static>, WaitGroup, Unparker)>();
    shared::<(ScopedJoinHandle<'static, u8>, Iter<'static, u8>, TryIter<'static, u8>, IntoIter<u8>)>();
    safe::<(Sender<&'static mut u8>, Receiver<&'static mut u8>)>();
    fn sent<T: Send>() {}
    sent::<Parker>();
}

/// The rest of crossbeam, by name: that these paths exist is the test.
#[test]
fn what_is_not_wrapped_is_re_exported() {
    crate::begin();
    use pfs::crossbeam::{atomic, deque, epoch, queue, utils};

    assert_eq!(atomic::AtomicCell::new(1).take(), 1);
    assert!(deque::Worker::<u8>::new_fifo().pop().is_none());
    assert!(epoch::pin().collector() == Some(epoch::default_collector()));
    assert_eq!(queue::ArrayQueue::<u8>::new(2).capacity(), 2);
    assert_eq!(*utils::CachePadded::new(3), 3);
    let (sender, receiver) = pfs::crossbeam::channel::bounded(1);
    sender.send(1).unwrap();
    pfs::crossbeam::select! { recv(receiver) -> message => assert_eq!(message, Ok(1)) }
    let error: crossbeam::channel::SendError<u8> = pfs::crossbeam::channel::SendError(1);
    assert_eq!(error.into_inner(), 1);
}
