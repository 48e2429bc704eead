// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A room of the house plan (docs/architecture.md): arrows point downward only.
func room(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

let package = Package(
    name: "entitled",
    products: [
        .executable(name: "entitled", targets: ["entitled"]),
        .library(name: "EntitledClient", targets: ["EntitledClient"]),
    ],
    targets: [
        // C libraries: a module map and static inline shims each.
        .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CLibevent", pkgConfig: "libevent_openssl", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(name: "CLibcurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),

        // The only rooms that see a C pointer.
        room("Postgres", ["CLibpq"]),
        room("Signatures", ["COpenSSL"]),
        room("EventLoop", ["CLibevent"]),
        room("WebClient", ["CLibcurl"]),

        room("Entitlements"),
        room("AppStore", ["Signatures", "Entitlements"]),
        room("EventLog", ["Postgres", "Signatures", "Entitlements"]),
        room("Sync", ["EventLog", "AppStore", "Signatures", "Postgres", "Entitlements"]),
        room("AppStoreSimulator", ["AppStore", "Signatures", "Entitlements", "EventLoop", "WebClient"]),
        room("CaseFiles", ["AppStore", "Entitlements"]),
        room(
            "Service",
            ["Sync", "EventLog", "AppStore", "Signatures", "Entitlements", "EventLoop", "Postgres"]),
        // The yardsticks are other people's ways, in C and Python: compiled or installed when a benchmark runs.
        .target(
            name: "Benchmarks",
            dependencies: [
                "Service", "Sync", "EventLog", "AppStore", "AppStoreSimulator", "EntitledClient", "Signatures",
                "Entitlements", "EventLoop", "Postgres",
            ], path: "Benchmarks", resources: [.embedInCode("yardsticks")], swiftSettings: settings),
        .executableTarget(
            name: "entitled",
            dependencies: [
                "Service", "AppStoreSimulator", "CaseFiles", "Benchmarks", "Sync", "EventLog",
                "AppStore", "Signatures", "Entitlements", "EventLoop", "Postgres",
            ], swiftSettings: settings),

        // The client library and its sample.
        room("EntitledClient", ["Entitlements", "Signatures", "WebClient"], path: "clients/swift/EntitledClient"),
        .executableTarget(
            name: "entitled-sample", dependencies: ["EntitledClient", "Entitlements", "EventLoop", "WebClient"],
            path: "clients/swift/Sample", resources: [.embedInCode("Page/paywall.html")], swiftSettings: settings),

        room(
            "TestSupport",
            [
                "Service", "Sync", "EventLog", "AppStore", "AppStoreSimulator", "Signatures",
                "Entitlements", "EventLoop", "Postgres",
            ], path: "Tests/TestSupport"),
        tests("EventLoopTests", ["EventLoop"]),
        tests("WebClientTests", ["WebClient", "EventLoop"]),
        tests("PostgresTests", ["Postgres", "EventLoop", "TestSupport"]),
        tests("SignaturesTests", ["Signatures", "TestSupport"]),
        tests("EntitlementsTests", ["Entitlements", "TestSupport"]),
        tests("AppStoreTests", ["AppStore", "AppStoreSimulator", "Signatures", "Entitlements", "TestSupport"]),
        tests("EventLogTests", ["EventLog", "Postgres", "Signatures", "Entitlements", "TestSupport"]),
        tests(
            "SyncTests",
            [
                "Sync", "EventLog", "AppStore", "AppStoreSimulator", "CaseFiles", "Signatures", "Postgres",
                "Entitlements",
                "TestSupport",
            ]),
        tests(
            "ServiceTests",
            [
                "Service", "Sync", "EventLog", "EventLoop", "AppStore", "AppStoreSimulator", "Signatures",
                "Entitlements",
                "Postgres", "TestSupport",
            ]),
        tests(
            "AppStoreSimulatorTests",
            ["AppStoreSimulator", "AppStore", "Signatures", "Entitlements", "EventLoop", "TestSupport"]),
        tests("CommandTests", ["entitled", "AppStoreSimulator", "Signatures", "Entitlements", "TestSupport"]),
        tests("CaseFilesTests", ["CaseFiles", "Entitlements", "TestSupport"]),
        tests(
            "EntitledClientTests", ["EntitledClient", "CaseFiles", "Signatures", "Entitlements", "TestSupport"],
            path: "clients/swift/EntitledClientTests"),
        tests(
            "IntegrationTests",
            [
                "Service", "Sync", "EventLog", "AppStore", "AppStoreSimulator", "CaseFiles",
                "EntitledClient", "Benchmarks", "Signatures", "Entitlements", "EventLoop", "Postgres", "TestSupport",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
