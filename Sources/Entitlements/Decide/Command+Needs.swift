extension Command {
    /// Adds what deciding this command will surely need, so that it can be loaded at once.
    public func foresee(into needs: inout Workspace.Needs) {
        switch self {
        case .push(let account, let items, _):
            for item in items {
                item.foresee(into: &needs)
                needs.streams.insert(.account(item.environment, account))
                // A pusher is known; asking again would be a read for nothing.
                needs.accounts.remove(account)
            }
        case .learned(let item, _): item.foresee(into: &needs)
        case .notification(let admitted):
            if let transaction = admitted.transaction {
                Item.transaction(transaction).foresee(into: &needs)
            } else if let renewalInfo = admitted.renewalInfo {
                Item.renewalInfo(renewalInfo).foresee(into: &needs)
            } else {
                needs.streams.insert(.app)
            }
        case .accountKnown(_, let hinted): needs.lineages.formUnion(hinted)
        case .grant(let stream, _), .revokeGrant(let stream, _), .spend(let stream, _): needs.streams.insert(stream)
        case .erase(let account, let environment): needs.streams.insert(.account(environment, account))
        case .free(let lineage), .transfer(let lineage, _): needs.lineages.insert(lineage)
        }
    }
}

extension Command.Item {
    /// The environment it was signed in.
    public var environment: Environment {
        switch self {
        case .transaction(let admitted): admitted.environment
        case .renewalInfo(let admitted): admitted.environment
        }
    }

    /// The lineage it is about.
    public var lineage: LineageRef {
        switch self {
        case .transaction(let admitted): LineageRef(admitted.environment, admitted.transaction.originalTransactionId)
        case .renewalInfo(let admitted): LineageRef(admitted.environment, admitted.renewalInfo.originalTransactionId)
        }
    }

    fileprivate func foresee(into needs: inout Workspace.Needs) {
        needs.lineages.insert(lineage)
        if case .transaction(let admitted) = self, let token = admitted.transaction.appAccountToken {
            needs.accounts.insert(token)
        }
    }
}
