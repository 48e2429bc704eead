import FoundationEssentials
import Glibc
import Postgres
import TestSupport
import Testing

@Suite(.serialized) struct LocalClusterTests {
    private func withCluster(name: String = "c", _ body: (LocalCluster) async throws -> Void) async throws {
        let root = "/tmp/entitled-cluster-test-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        #expect(chmod(root, 0o755) == 0)
        let cluster = LocalCluster(directory: "\(root)/\(name)", isDurable: false)
        let result: Result<Void, any Error>
        do { result = .success(try await body(cluster)) } catch { result = .failure(error) }
        try await onOwnThread { try cluster.stop() }
        for path in [root, cluster.socketDirectory] { try? FileManager.default.removeItem(atPath: path) }
        try result.get()
    }

    private func answer(_ cluster: LocalCluster, _ sql: String) async throws -> String {
        let session = try await PostgresSession.connect(to: cluster.connectionString(), on: testReactor)
        let text = try await session.execute(sql).last?[0].decode(String.self, at: 0)
        await session.close()
        return text ?? ""
    }

    @Test func startsStopsAndKeepsItsData() async throws {
        try await withCluster { cluster in
            try await onOwnThread { try cluster.start() }
            try await onOwnThread { try cluster.start() }
            #expect(cluster.processID != nil)
            #expect(try await answer(cluster, "CREATE TABLE t AS SELECT 7 AS n; SELECT n FROM t") == "7")
            #expect(try await answer(cluster, "SHOW listen_addresses") == "")
            try await onOwnThread { try cluster.stop() }
            #expect(cluster.processID == nil)
            try await onOwnThread { try cluster.stop() }
            try await onOwnThread { try cluster.start() }
            #expect(try await answer(cluster, "SELECT n FROM t") == "7")
        }
    }

    @Test func startsAgainAfterKill() async throws {
        try await withCluster { cluster in
            try await onOwnThread { try cluster.start() }
            #expect(try await answer(cluster, "CREATE TABLE t AS SELECT 7 AS n; SELECT n FROM t") == "7")
            let pid = try #require(cluster.processID)
            #expect(kill(pid, SIGKILL) == 0)
            while cluster.processID != nil { await Task.yield() }
            try await onOwnThread { try cluster.start() }
            #expect(cluster.processID != pid)
            #expect(try await answer(cluster, "SELECT n FROM t") == "7")
        }
    }

    @Test func aLongPathHasItsSocketElsewhere() async throws {
        try await withCluster(name: String(repeating: "d", count: 100)) { cluster in
            #expect(cluster.socketDirectory != cluster.directory)
            try await onOwnThread { try cluster.start() }
            #expect(try await answer(cluster, "SELECT 1") == "1")
        }
    }

    @Test func aDirectoryThatOthersCanEnterIsRefused() async throws {
        try await withCluster { cluster in
            try FileManager.default.createDirectory(atPath: cluster.directory, withIntermediateDirectories: true)
            #expect(chmod(cluster.directory, 0o755) == 0)
            let error = await #expect(throws: PostgresError.self) { try await onOwnThread { try cluster.start() } }
            #expect(error?.code == .localCluster)
        }
    }

    @Test func severalRunAtOnce() async throws {
        try await withCluster { first in
            try await withCluster { second in
                try await onOwnThread { try first.start() }
                try await onOwnThread { try second.start() }
                #expect(first.processID != second.processID)
                #expect(try await answer(first, "SELECT 1") == "1")
                #expect(try await answer(second, "SELECT 1") == "1")
            }
        }
    }
}
