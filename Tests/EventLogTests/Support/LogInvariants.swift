import Postgres

/// What must be true of every log, as queries that answer a row for each fault.
let logInvariants: [(name: String, faults: String)] = [
    (
        "lanes are dense",
        "SELECT lane FROM ev.event GROUP BY lane HAVING max(lane_pos) <> count(*) OR min(lane_pos) <> 1"
    ),
    (
        "streams are dense and in lane order",
        """
        SELECT stream_id FROM (SELECT stream_id, seq, row_number() OVER (PARTITION BY stream_id ORDER BY lane_pos) AS n
                                 FROM ev.event) e WHERE seq <> n
        """
    ),
    (
        "heads are the last seq",
        """
        SELECT stream_id FROM ev.account_head h
          FULL JOIN (SELECT stream_id, max(seq) AS seq FROM ev.event GROUP BY 1) e USING (stream_id)
         WHERE h.version IS DISTINCT FROM e.seq
        """
    ),
    (
        "snapshots are of their head's version",
        """
        SELECT stream_id FROM ev.snapshot s FULL JOIN ev.account_head h USING (stream_id)
         WHERE s.version IS DISTINCT FROM h.version
        """
    ),
    (
        "lane hints are not above the last position",
        """
        SELECT l.lane FROM ev.lane l
         WHERE l.floor > coalesce((SELECT max(lane_pos) FROM ev.event e WHERE e.lane = l.lane), 0)
        """
    ),
    ("no reserved directory row is left", "SELECT original_transaction_id FROM ev.lineage WHERE version < 1"),
    (
        "hints and their inverse agree",
        """
        SELECT original_transaction_id FROM
          (SELECT app, environment, original_transaction_id, unnest(hints) AS account FROM ev.lineage) k
          FULL JOIN ev.lineage_hint h USING (app, environment, original_transaction_id, account)
         WHERE k.* IS NULL OR h.* IS NULL
        """
    ),
]

extension PostgresSession {
    /// The names of the invariants that do not hold.
    func brokenInvariants() async throws -> [String] {
        var broken: [String] = []
        for invariant in logInvariants where try await !texts(invariant.faults).isEmpty {
            broken.append(invariant.name)
        }
        return broken
    }
}
