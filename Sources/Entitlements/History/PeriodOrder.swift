/// The periods of a lineage by when they begin, kept in order while its events are read: a thousand renewals stay quick.
struct PeriodOrder {
    private struct Place: Comparable {
        let purchase: Milliseconds
        let id: String

        static func < (left: Place, right: Place) -> Bool {
            if left.purchase != right.purchase { return left.purchase < right.purchase }
            if TransactionOrder.precedes(left.id, right.id) { return true }
            // Two spellings of one number are two transactions.
            return !TransactionOrder.precedes(right.id, left.id) && left.id < right.id
        }
    }

    private var places: [Place] = []
    private var purchases: [String: Milliseconds] = [:]

    /// Takes the newest word on a transaction; an added seat is no period.
    mutating func put(_ transaction: Transaction) {
        let id = transaction.transactionId
        let purchase = transaction.isSeatAddition ? nil : transaction.purchaseDate
        guard purchases[id] != purchase else { return }
        if let former = purchases.removeValue(forKey: id) {
            places.remove(at: index(of: Place(purchase: former, id: id)))
        }
        guard let purchase else { return }
        purchases[id] = purchase
        let place = Place(purchase: purchase, id: id)
        places.insert(place, at: index(of: place))
    }

    /// The last one that begins before an instant.
    func last(before instant: Milliseconds) -> String? {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].purchase < instant { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? places[low - 1].id : nil
    }

    /// Where a place stands, or would.
    private func index(of place: Place) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
