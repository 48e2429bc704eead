import Entitlements
import Foundation

/// What a person has paid for, on this device: answers from a signed snapshot that is kept on the disk and judged at every
/// load, and changes that arrive by themselves. Shaped like StoreKit 2.
///
/// ```swift
/// let client = try EntitledClient(configuration: configuration)
/// await client.start()
/// if await client.isEntitled(to: "pro").access == .active { … }
/// for await update in client.updates { … }
/// ```
///
/// One client a process and directory: it holds one poll however many observers there are. It lives until `stop()`.
public actor EntitledClient {
    nonisolated let configuration: ClientConfiguration
    nonisolated let clock: any DeviceClock
    nonisolated let transport: any Transport
    nonisolated let layout: StorageLayout
    /// Another one only in a process that reads, when the writer has made it anew.
    var installation: String

    nonisolated let views = Broadcast<Verdict<AccountView>>(buffer: 1, replayCount: 1)
    nonisolated let statuses = Broadcast<ConnectionStatus>(buffer: 1, replayCount: 1)
    nonisolated let remarks = Broadcast<ClientDiagnostic>(buffer: 64, replayCount: 16)
    nonisolated let delivered = Broadcast<PushResult>(buffer: 256, replayCount: 0)

    var context: AccountContext
    /// Held by the process that writes; nil in one that reads.
    var lock: FileLock?
    var isStarted = false
    /// Grows when the account changes or work stops: what was begun before no longer counts.
    var generation = 0

    var lastView: AccountView?
    var lastStatus: ConnectionStatus?

    var poll: PollMachine
    var pollTask: Task<Void, Never>?
    /// Names the request or timer that is out.
    var pollTurn = 0

    var tokenTask: Task<TokenOutcome, Never>?

    var changeTask: Task<Void, Never>?
    /// When the timer for changes by time fires; nil when none is out.
    var changeTimerAt: Milliseconds?
    var clockSavedAt: Milliseconds = 0
    var readerTask: Task<Void, Never>?

    var deliveryTask: Task<Void, Never>?
    var deliveryPause: Task<Void, any Error>?
    /// Whether the pause is the service's wish, which nothing cuts short.
    var deliveryPauseIsBinding = false
    var deliveryBatch: Int
    var pushWaiters: [Int: PushWaiter] = [:]
    var nextWaiter = 0

    /// A client that answers from what is kept on the disk, without network until `start()`. Throws `invalidInput` and
    /// `storage`.
    public init(configuration: ClientConfiguration) throws(ClientError) {
        try configuration.check()
        self.configuration = configuration
        clock = configuration.clock
        transport = configuration.transport ?? WebTransport()
        layout = StorageLayout(configuration.storageDirectory)
        installation = try Self.installation(configuration, layout)
        poll = PollMachine(holdSeconds: configuration.limits.holdSeconds)
        deliveryBatch = configuration.limits.batchCount
        let files = try Self.open(
            configuration.account, provider: configuration.token, installation: installation, layout: layout,
            configuration: configuration, lock: nil)
        context = files.context
        lock = files.lock
        for remark in files.remarks { remarks.send(remark) }
        let view = files.context.view
        lastView = view
        views.send(.verified(view))
        statuses.send(.stopped)
    }

    /// Begins to talk to the service, or, in a process that reads, to watch the files.
    public func start() {
        guard !isStarted else { return }
        isStarted = true
        timePassed()
        if lock == nil { startReading() } else { startTalking() }
    }

    /// Ends all requests and timers. What waits in the outbox stays; questions are answered from memory.
    public func stop() {
        guard isStarted else { return }
        isStarted = false
        endWork()
        saveClock()
        showStatus()
    }

    /// The network is back, the device woke up, or a person signed in: the client tries now what it would try later.
    public func reconnect() {
        guard isStarted else { return }
        timePassed()
        tell(.wake)
        startDelivery()
    }

    func startTalking() {
        tell(.start(cursor: context.kept?.snapshot.cursor, refreshAfter: untilRefresh))
        startDelivery()
    }

    /// Ends what is under way, at once: nothing that comes back later is listened to.
    func endWork() {
        generation += 1
        tell(.stop)
        tokenTask = nil
        changeTask?.cancel()
        changeTimerAt = nil
        readerTask?.cancel()
        deliveryTask?.cancel()
        deliveryTask = nil
        deliveryPause?.cancel()
        for waiter in pushWaiters.keys { answerWaiter(waiter) }
    }

    /// How long the kept snapshot serves before the service should sign anew.
    private var untilRefresh: Milliseconds {
        guard let kept = context.kept else { return 0 }
        return kept.snapshot.serverTime + kept.snapshot.refreshAfter - kept.clock.trusted.now
    }
}
