//! The hub by a NATS server with JetStream.
//!
//! The queue is a stream with the retention of a work queue and a durable pull consumer for each
//! priority, the stores are streams with one message for each subject, messages to whoever listens
//! are plain ones. Everything is on files, so a server that is restarted goes on. "Written once" is
//! said twice: by the sequence that we expect on the subject, and by the configuration of the
//! stream, which refuses a second message. Key-value buckets would do the same, but Debian's server
//! is too old for the client's.
//!
//! Whatever fails may have failed because the server lost its files: the streams are made again
//! before the next call. Architecture invariant: `async` stays in this file; every call of [`Hub`]
//! waits on the runtime that the connection owns.

use std::error::Error as _;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use async_nats::jetstream::context::{Context, PublishError, PublishErrorKind};
use async_nats::jetstream::message::{AckKind, PublishMessage};
use async_nats::jetstream::stream::{
    self, DirectGetErrorKind, DiscardPolicy, LastRawMessageErrorKind, RetentionPolicy, StorageType,
};
use async_nats::{Client, ConnectError, ConnectErrorKind, Event, Subscriber, jetstream};
use futures_util::StreamExt as _;
use futures_util::future::try_join_all;
use futures_util::stream::select_all;
use tokio::runtime::Runtime;
use tokio::time::timeout;

use crate::access::Access;
use crate::hub::{Created, Delivery, Entry, Hub, HubError, Listener, Queue, Store, Topic};
use crate::message::{MOST_BYTES, PROTOCOL};
use crate::priority::Priority;

/// How long the server may take for an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often the connection is tried when nothing happens.
const PING: Duration = Duration::from_secs(10);
/// How long texts, results and attempts are kept.
const KEPT: Duration = Duration::from_hours(30 * 24);
/// How long an entry of the same name counts as the same one.
const SAME: Duration = Duration::from_mins(2);
/// How many entries may be taken at the same time, by all workers.
const MOST_TAKEN: i64 = 50_000;
/// How many workers may wait at the same time.
const MOST_WAITING: i64 = 10_000;
/// How many results are read at once.
const BATCH: usize = 64;
/// How long a consumer of ours lives after we have gone.
const FORGOTTEN: Duration = Duration::from_mins(1);
/// The word in the subjects of the queue.
const QUEUE: &str = "job";

/// What a server without room says: of an account, of itself in two ways, or of its disk.
const FULL: [ErrorCode; 4] = [
    ErrorCode::ACCOUNT_RESOURCES_EXCEEDED,
    ErrorCode::INSUFFICIENT_RESOURCES,
    ErrorCode::STORAGE_RESOURCES_EXCEEDED,
    ErrorCode::STREAM_STORE_FAILED,
];

/// A connection to a server.
pub(crate) struct Nats {
    runtime: Arc<Runtime>,
    client: Client,
    context: Context,
    project: String,
    lease: Duration,
    streams: Mutex<Arc<Streams>>,
    /// Whether something failed, so that the streams may be gone.
    is_dubious: AtomicBool,
    watch: Mutex<Option<Watch>>,
}

/// What is on the server.
struct Streams {
    jobs: stream::Stream,
    /// The consumers of the queue, the highest priority first.
    workers: Vec<PullConsumer>,
    stores: Vec<(Store, stream::Stream)>,
}

/// A consumer of results that has read up to a place.
struct Watch {
    place: u64,
    consumer: PullConsumer,
}

impl Nats {
    /// Connects, and makes what is not there; `lease` counts for a queue that is made.
    pub(crate) fn connect(access: &Access, lease: Duration) -> Result<Self, HubError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(HubError::refused)?;
        let project = format!("{}.{PROTOCOL}", access.project());
        let (client, context, streams) = runtime.block_on(async {
            let options = access
                .options()
                .map_err(HubError::refused)?
                .name("shofar")
                .ping_interval(PING)
                .connection_timeout(PATIENCE)
                .request_timeout(Some(PATIENCE))
                .event_callback(log);
            let client = options.connect(access.url()).await.map_err(not_connected)?;
            let mut context = jetstream::new(client.clone());
            context.set_timeout(PATIENCE);
            let streams = ensure(&context, &project, lease).await?;
            Ok((client, context, streams))
        })?;
        let lease = streams.workers.first().map_or(lease, |c| c.cached_info().config.ack_wait);
        Ok(Self {
            runtime: Arc::new(runtime),
            client,
            context,
            project,
            lease,
            streams: Mutex::new(Arc::new(streams)),
            is_dubious: AtomicBool::new(false),
            watch: Mutex::new(None),
        })
    }
    fn subject(&self, kind: &str, name: &str) -> String {
        format!("{}.{kind}.{name}", self.project)
    }
    fn lock(&self) -> MutexGuard<'_, Arc<Streams>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Waits for an answer of the server; after a failure the streams are made again first.
    fn ask<T>(
        &self,
        question: impl AsyncFnOnce(&Streams) -> Result<T, HubError>,
    ) -> Result<T, HubError> {
        let outcome = self.runtime.block_on(async {
            if self.is_dubious.load(Ordering::SeqCst) {
                let fresh = ensure(&self.context, &self.project, self.lease).await?;
                *self.lock() = Arc::new(fresh);
                self.is_dubious.store(false, Ordering::SeqCst);
            }
            let streams = Arc::clone(&self.lock());
            question(&streams).await
        });
        if outcome.is_err() {
            self.is_dubious.store(true, Ordering::SeqCst);
        }
        outcome
    }
    /// Stores a message; whether it is the first one of its name.
    async fn publish(&self, subject: String, message: PublishMessage) -> Result<Created, HubError> {
        let sent = self.context.send_publish(subject, message).await;
        let stored = match sent {
            Ok(stored) => stored.await,
            Err(error) => Err(error),
        };
        match stored {
            Ok(stored) if stored.duplicate => Ok(Created::Exists),
            Ok(_) => Ok(Created::New),
            Err(error) => match error.kind() {
                PublishErrorKind::WrongLastSequence => Ok(Created::Exists),
                PublishErrorKind::MaxPayloadExceeded => Err(HubError::refused(error)),
                PublishErrorKind::Other if has_no_room(&error) => Err(HubError::full(error)),
                PublishErrorKind::StreamNotFound
                | PublishErrorKind::WrongLastMessageId
                | PublishErrorKind::TimedOut
                | PublishErrorKind::BrokenPipe
                | PublishErrorKind::MaxAckPending
                | PublishErrorKind::Other => Err(HubError::passing(error)),
            },
        }
    }
    /// The consumer that has read results up to a place.
    async fn watch(&self, streams: &Streams, place: u64) -> Result<Watch, HubError> {
        let known = self.watch.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(watch) = known.filter(|watch| watch.place == place) {
            return Ok(watch);
        }
        let config = pull::Config {
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: place + 1 },
            ack_policy: AckPolicy::None,
            inactive_threshold: FORGOTTEN,
            ..pull::Config::default()
        };
        let results = streams.store(Store::Results);
        let consumer = results.create_consumer(config).await.map_err(HubError::passing)?;
        Ok(Watch { place, consumer })
    }
}

impl Watch {
    /// Reads the messages of a batch; names are what follows `begin` in their subjects.
    async fn read(
        &mut self,
        mut batch: pull::Batch,
        begin: &str,
        wait: Duration,
        entries: &mut Vec<Entry>,
    ) -> Result<(), HubError> {
        while let Ok(Some(message)) = timeout(wait + PATIENCE, batch.next()).await {
            let message = message.map_err(HubError::passing)?;
            self.place = message.info().map_err(HubError::passing)?.stream_sequence;
            let name = message.subject.strip_prefix(begin).unwrap_or_default().to_owned();
            entries.push(Entry { place: self.place, name, value: message.payload.to_vec() });
        }
        Ok(())
    }
}

impl Streams {
    fn store(&self, store: Store) -> &stream::Stream {
        let found = self.stores.iter().find(|(own, _)| *own == store);
        &found.expect("there is a stream for every store").1
    }
    async fn read(&self, store: Store, subject: String) -> Result<Option<Vec<u8>>, HubError> {
        match self.store(store).direct_get_last_for_subject(subject).await {
            Ok(message) => Ok(Some(message.payload.to_vec())),
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(None),
            Err(error) => Err(HubError::passing(error)),
        }
    }
}

/// Whether the server says that a limit of its storage is reached.
fn has_no_room(error: &PublishError) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<jetstream::Error>());
    cause.is_some_and(|cause| FULL.contains(&cause.error_code()))
}

/// Whoever is not let in, or does not trust the server, need not try again.
fn not_connected(error: ConnectError) -> HubError {
    // A certificate that is not accepted is an error of the stream to the client library.
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    if cause.is_some_and(|cause| cause.kind() == io::ErrorKind::InvalidData) {
        return HubError::refused(format!("the hub is not trusted, or does not trust us: {error}"));
    }
    match error.kind() {
        ConnectErrorKind::ServerParse => {
            HubError::refused("this is no address; it is nats://HOST:PORT or tls://HOST:PORT")
        }
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            HubError::refused(
                "the hub does not let us in: user and password, NKey or credentials are missing or wrong",
            )
        }
        ConnectErrorKind::Tls => HubError::refused(format!("a certificate is of no use: {error}")),
        ConnectErrorKind::Dns
        | ConnectErrorKind::TimedOut
        | ConnectErrorKind::Io
        | ConnectErrorKind::MaxReconnects => HubError::passing(error),
    }
}

/// Tells of the connection; what the server says is shown as it is, and has no secrets of ours.
async fn log(event: Event) {
    match event {
        Event::Connected => tracing::debug!("connected to the hub"),
        Event::Disconnected => tracing::warn!("the hub does not answer; trying again"),
        // Once for each message that is dropped, or each time that the connection is tried again:
        // whoever floods a subject, or takes a hub away, is not to flood the log.
        Event::SlowConsumer(_) | Event::ClientError(_) => tracing::debug!("hub: {event}"),
        Event::LameDuckMode | Event::Draining | Event::Closed | Event::ServerError(_) => {
            tracing::warn!("hub: {event}");
        }
    }
}

/// The streams of a project, which are made unless they are there.
async fn ensure(context: &Context, project: &str, lease: Duration) -> Result<Streams, HubError> {
    let largest = i32::try_from(MOST_BYTES).unwrap_or(i32::MAX);
    let jobs = stream::Config {
        name: stream_name(project, QUEUE),
        subjects: Priority::ALL.iter().map(|&of| subject(project, of, "*")).collect(),
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        discard: DiscardPolicy::New,
        duplicate_window: SAME,
        max_message_size: largest,
        num_replicas: 1,
        ..stream::Config::default()
    };
    let jobs = context.get_or_create_stream(jobs).await.map_err(HubError::passing)?;
    let mut workers = Vec::new();
    for priority in Priority::ALL {
        let name = consumer_name(priority);
        let config = pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: subject(project, priority, "*"),
            ack_policy: AckPolicy::Explicit,
            ack_wait: lease,
            max_ack_pending: MOST_TAKEN,
            max_waiting: MOST_WAITING,
            ..pull::Config::default()
        };
        let consumer = jobs.get_or_create_consumer(&name, config).await;
        workers.push(consumer.map_err(HubError::passing)?);
    }
    let mut stores = Vec::new();
    for store in Store::ALL {
        let once = store.is_written_once();
        let config = stream::Config {
            name: stream_name(project, store.word()),
            subjects: vec![format!("{project}.{}.>", store.word())],
            storage: StorageType::File,
            max_messages_per_subject: 1,
            discard: if once { DiscardPolicy::New } else { DiscardPolicy::Old },
            discard_new_per_subject: once,
            max_age: KEPT,
            max_message_size: largest,
            allow_direct: true,
            num_replicas: 1,
            ..stream::Config::default()
        };
        let stream = context.get_or_create_stream(config).await.map_err(HubError::passing)?;
        stores.push((store, stream));
    }
    Ok(Streams { jobs, workers, stores })
}

/// The name of a stream; it has no dots.
fn stream_name(project: &str, kind: &str) -> String {
    format!("{}-{kind}", project.replace('.', "-"))
}

/// The subject of an entry of the queue.
fn subject(project: &str, priority: Priority, name: &str) -> String {
    format!("{project}.{QUEUE}.{}.{name}", priority.word())
}

/// What the consumer of a priority is called.
fn consumer_name(priority: Priority) -> String {
    format!("workers-{}", priority.word())
}

/// The message that comes first to one of several consumers, whose priorities do not matter since
/// there is none yet.
async fn first_of(
    consumers: &[PullConsumer],
    wait: Duration,
) -> Result<Option<jetstream::Message>, HubError> {
    let ask = async |consumer: &PullConsumer| {
        let batch = consumer.batch().max_messages(1).expires(wait).messages().await;
        batch.map_err(HubError::passing)
    };
    let mut batches = select_all(try_join_all(consumers.iter().map(ask)).await?);
    let first = match timeout(wait + PATIENCE, batches.next()).await {
        Ok(Some(message)) => message.map_err(HubError::passing)?,
        Ok(None) | Err(_) => return Ok(None),
    };
    // What comes to the other consumers until they have waited enough goes back to the queue at
    // once.
    tokio::spawn(timeout(wait + PATIENCE, async move {
        while let Some(Ok(other)) = batches.next().await {
            // If that fails, its lease runs out.
            let _ = other.ack_with(AckKind::Nak(None)).await;
        }
    }));
    Ok(Some(first))
}

impl Hub for Nats {
    fn create(&self, store: Store, name: &str, value: &[u8]) -> Result<Created, HubError> {
        let message = PublishMessage::build()
            .payload(value.to_vec().into())
            .expected_last_subject_sequence(0);
        self.ask(async |_| self.publish(self.subject(store.word(), name), message).await)
    }
    fn replace(&self, store: Store, name: &str, value: &[u8]) -> Result<(), HubError> {
        let message = PublishMessage::build().payload(value.to_vec().into());
        self.ask(async |_| self.publish(self.subject(store.word(), name), message).await)?;
        Ok(())
    }
    fn read(&self, store: Store, name: &str) -> Result<Option<Vec<u8>>, HubError> {
        let subject = self.subject(store.word(), name);
        self.ask(async |streams| streams.read(store, subject).await)
    }
    fn read_all(&self, wanted: &[(Store, String)]) -> Result<Vec<Option<Vec<u8>>>, HubError> {
        self.ask(async |streams| {
            let read = |(store, name): &(Store, String)| {
                streams.read(*store, self.subject(store.word(), name))
            };
            try_join_all(wanted.iter().map(read)).await
        })
    }
    fn results_after(&self, place: u64, wait: Duration) -> Result<Vec<Entry>, HubError> {
        let begin = self.subject(Store::Results.word(), "");
        self.ask(async |streams| {
            let mut watch = self.watch(streams, place).await?;
            let (consumer, mut entries) = (watch.consumer.clone(), Vec::new());
            let stored = consumer.fetch().max_messages(BATCH).messages().await;
            watch.read(stored.map_err(HubError::passing)?, &begin, wait, &mut entries).await?;
            if entries.is_empty() && !wait.is_zero() {
                let next = consumer.batch().max_messages(1).expires(wait).messages().await;
                watch.read(next.map_err(HubError::passing)?, &begin, wait, &mut entries).await?;
            }
            *self.watch.lock().unwrap_or_else(PoisonError::into_inner) = Some(watch);
            Ok(entries)
        })
    }
    fn last_result(&self) -> Result<u64, HubError> {
        self.ask(async |streams| {
            let info = streams.store(Store::Results).get_info().await;
            Ok(info.map_err(HubError::passing)?.state.last_sequence)
        })
    }
    fn enqueue(&self, priority: Priority, name: &str, payload: &[u8]) -> Result<(), HubError> {
        let message = PublishMessage::build().payload(payload.to_vec().into()).message_id(name);
        let subject = subject(&self.project, priority, name);
        self.ask(async |_| self.publish(subject, message).await)?;
        Ok(())
    }
    fn drop_entry(&self, priority: Priority, name: &str) -> Result<(), HubError> {
        let subject = subject(&self.project, priority, name);
        self.ask(async |streams| {
            let entry = match streams.jobs.get_last_raw_message_by_subject(&subject).await {
                Ok(entry) => entry,
                Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => {
                    return Ok(());
                }
                Err(error) => return Err(HubError::passing(error)),
            };
            // Purging the subject would be one call, but servers such as 2.9.10 let the consumer
            // step over all that waits then, so that jobs of others would never be taken.
            let deleted = streams.jobs.delete_message(entry.sequence).await;
            deleted.map(|_| ()).map_err(HubError::passing)
        })
    }
    fn take(&self, wait: Duration) -> Result<Option<Box<dyn Delivery>>, HubError> {
        let taken = self.ask(async |streams| {
            for consumer in &streams.workers {
                let batch = consumer.fetch().max_messages(1).messages().await;
                let mut batch = batch.map_err(HubError::passing)?;
                if let Ok(Some(message)) = timeout(PATIENCE, batch.next()).await {
                    return message.map(Some).map_err(HubError::passing);
                }
            }
            first_of(&streams.workers, wait).await
        })?;
        Ok(taken.map(|message| {
            let runtime = Arc::clone(&self.runtime);
            Box::new(Taken { runtime, message }) as Box<dyn Delivery>
        }))
    }
    fn lease(&self) -> Duration {
        self.lease
    }
    fn queue(&self) -> Result<Queue, HubError> {
        self.ask(async |streams| {
            let jobs = streams.jobs.get_info().await.map_err(HubError::passing)?;
            let info = async |priority: Priority| {
                let info = streams.jobs.consumer_info(consumer_name(priority)).await;
                info.map_err(HubError::passing)
            };
            let consumers = try_join_all(Priority::ALL.into_iter().map(info)).await?;
            let mut queue = Queue { open: jobs.state.messages, ..Queue::default() };
            for (waiting, info) in queue.waiting.iter_mut().zip(&consumers) {
                *waiting = info.num_pending;
                queue.taken += u64::try_from(info.num_ack_pending).unwrap_or(u64::MAX);
            }
            let results = streams.store(Store::Results).get_info().await;
            let results = results.map_err(HubError::passing)?;
            Ok(Queue { results: results.state.messages, ..queue })
        })
    }
    fn tell(&self, topic: Topic, name: &str, payload: &[u8]) -> Result<(), HubError> {
        let subject = self.subject(topic.word(), name);
        self.runtime.block_on(async {
            let sent = self.client.publish(subject, payload.to_vec().into()).await;
            sent.map_err(HubError::passing)?;
            match timeout(PATIENCE, self.client.flush()).await {
                Ok(flushed) => flushed.map_err(HubError::passing),
                Err(late) => Err(HubError::passing(late)),
            }
        })
    }
    fn listen(&self, topic: Topic) -> Result<Box<dyn Listener>, HubError> {
        self.follow(topic, "*")
    }
    fn follow(&self, topic: Topic, name: &str) -> Result<Box<dyn Listener>, HubError> {
        let subscription = self.client.subscribe(self.subject(topic.word(), name));
        let subscriber = self.runtime.block_on(subscription).map_err(HubError::passing)?;
        let (runtime, begin) = (Arc::clone(&self.runtime), self.subject(topic.word(), ""));
        Ok(Box::new(Subscription { runtime, subscriber, begin }))
    }
}

/// A message of the queue.
struct Taken {
    runtime: Arc<Runtime>,
    message: jetstream::Message,
}

impl Delivery for Taken {
    fn payload(&self) -> &[u8] {
        &self.message.payload
    }
    fn extend(&self) -> Result<(), HubError> {
        let extended = self.runtime.block_on(self.message.ack_with(AckKind::Progress));
        extended.map_err(HubError::passing)
    }
    fn finish(&self) -> Result<(), HubError> {
        self.runtime.block_on(async {
            match timeout(PATIENCE, self.message.double_ack()).await {
                Ok(done) => done.map_err(HubError::passing),
                Err(late) => Err(HubError::passing(late)),
            }
        })
    }
    fn give_back(&self, after: Duration) -> Result<(), HubError> {
        self.runtime.block_on(async {
            let given = self.message.ack_with(AckKind::Nak(Some(after))).await;
            given.map_err(HubError::passing)?;
            // The process may end at once.
            let flushed = timeout(PATIENCE, self.message.context.client().flush()).await;
            flushed.map_err(HubError::passing)?.map_err(HubError::passing)
        })
    }
}

/// Messages to whoever listens.
struct Subscription {
    runtime: Arc<Runtime>,
    subscriber: Subscriber,
    begin: String,
}

impl Listener for Subscription {
    fn next(&mut self, wait: Duration) -> Option<(String, Vec<u8>)> {
        let subscriber = &mut self.subscriber;
        let next = self.runtime.block_on(async { timeout(wait, subscriber.next()).await });
        let message = next.ok()??;
        let name = message.subject.strip_prefix(&self.begin).unwrap_or_default().to_owned();
        Some((name, message.payload.to_vec()))
    }
}
