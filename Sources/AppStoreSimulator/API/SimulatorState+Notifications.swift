import Entitlements
import Signatures

/// Notification history and test notifications.
extension SimulatorState {
    /// How far back it reaches.
    private var historyReach: Milliseconds {
        (store.settings.environment == .production ? 180 : 30) * Time.day
    }

    mutating func notificationHistory(_ request: APIRequest) throws -> APIAnswer {
        let body = try request.object()
        guard let start = body["startDate"]?.integerValue else { throw ServerAPIError.invalidStartDate }
        guard let end = body["endDate"]?.integerValue else { throw ServerAPIError.invalidEndDate }
        guard start <= end else { throw ServerAPIError.startDateAfterEnd }
        guard start >= store.now - historyReach else { throw ServerAPIError.startDateTooOld }
        let type = body["notificationType"]?.stringValue
        let subtype = body["notificationSubtype"]?.stringValue
        let transaction = body["transactionId"]?.stringValue
        guard type == nil || transaction == nil else { throw ServerAPIError.multipleFilters }
        guard type != nil || subtype == nil else { throw ServerAPIError.invalidNotificationType }
        let who = try transaction.map { id throws(ServerAPIError) in try customer(id).name }
        let onlyFailures = body["onlyFailures"]?.boolValue ?? false

        let marks = ["notifications", JSONValue.object(body).text]
        let after = try page(request, marks: marks)
        var items: [JSONValue] = []
        var last = after
        var hasMore = false
        for (index, entry) in delivery.entries.enumerated().dropFirst(Int(clamping: after)) {
            let matches =
                !entry.attempts.isEmpty && start <= entry.signedAt && entry.signedAt < end
                && (type.map { $0 == entry.notification.type } ?? true)
                && (subtype.map { $0 == entry.notification.subtype } ?? true)
                && (who.map { $0 == entry.notification.customer } ?? true) && !(onlyFailures && entry.isDelivered)
            guard matches else { continue }
            guard items.count < Self.pageSize else {
                hasMore = true
                break
            }
            items.append(item(entry))
            last = Int64(index) + 1
        }
        var answer: JSONObject = ["notificationHistory": .array(items), "hasMore": .bool(hasMore)]
        if hasMore { answer["paginationToken"] = .string(Self.token(position: last, marks: marks)) }
        return APIAnswer(answer)
    }

    private func page(_ request: APIRequest, marks: [String]) throws(ServerAPIError) -> Int64 {
        guard let token = try request.value("paginationToken", orElse: .invalidPaginationToken) else { return 0 }
        guard let position = Self.position(in: token, marks: marks) else { throw .invalidPaginationToken }
        return position
    }

    private func item(_ entry: Delivery.Entry) -> JSONValue {
        [
            "signedPayload": .string(entry.notification.signedPayload),
            "sendAttempts": .array(
                entry.attempts.map {
                    ["attemptDate": .integer($0.date), "sendAttemptResult": .string($0.result)]
                }),
        ]
    }

    mutating func requestTestNotification() throws -> APIAnswer {
        guard hasNotificationURL else { throw ServerAPIError.noNotificationURL }
        _ = try publish([store.testNotification(random.uuid())])
        let token = "\(random.uuid())_\(store.settings.environment.rawValue.lowercased())"
        testNotifications[token] = delivery.entries.count - 1
        return APIAnswer(["testNotificationToken": .string(token)])
    }

    /// Found once it was tried to be sent.
    func testNotificationStatus(_ token: String) throws(ServerAPIError) -> APIAnswer {
        guard 1...128 ~= token.utf8.count else { throw .invalidTestToken }
        guard let index = testNotifications[token], !delivery.entries[index].attempts.isEmpty,
            let object = item(delivery.entries[index]).objectValue
        else { throw .testNotificationNotFound }
        return APIAnswer(object)
    }
}
