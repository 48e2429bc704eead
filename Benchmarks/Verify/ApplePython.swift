import AppStoreSimulator
import Foundation
import Signatures

/// Apple's `app-store-server-library` for Python, in a virtual environment of the run.
final class ApplePython {
    private let program: ChildProcess

    private init(_ program: ChildProcess) { self.program = program }

    /// Installs and starts it. Nil, with a note in the report, if that is not possible here.
    static func install(_ transactions: [String], _ purchases: Purchases, _ bench: inout Bench) throws -> ApplePython? {
        let directory = bench.scratch.file("python")
        do {
            bench.says("installing Apple's Python library")
            try ChildProcess.output(of: ["python3", "-m", "venv", directory])
            try ChildProcess.output(of: [
                "\(directory)/bin/pip", "install", "--quiet", "--disable-pip-version-check", "app-store-server-library",
            ])
            let version = try ChildProcess.output(of: ["\(directory)/bin/pip", "show", "app-store-server-library"])
                .split(separator: "\n").first { $0.hasPrefix("Version:") }
            bench.report.note("app-store-server-library for Python: \(version ?? "of unknown version")")
        } catch {
            bench.report.note("Apple's Python library could not be installed, so it was not measured: \(error)")
            return nil
        }
        let arguments = [
            try bench.scratch.write(PackageResources.apple_verify_py, to: "apple_verify.py"),
            try bench.scratch.write(purchases.authority.root.der, to: "root.cer"),
            try bench.scratch.write(Array(transactions.joined(separator: "\n").utf8), to: "transactions.txt"),
            Purchases.bundleId,
        ]
        return ApplePython(try ChildProcess(["\(directory)/bin/python"] + arguments))
    }

    /// Microseconds a verification, measured for about so many seconds.
    func microseconds(a slice: Double) throws -> Double {
        let count = max(20, Int(slice * 400))
        try program.send("\(count)")
        return try program.numbers()[0] / 1000 / Double(count)
    }
}
