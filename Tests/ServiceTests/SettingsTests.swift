import Testing

@testable import Service

@Suite struct SettingsTests {
    @Test func environmentWinsOverTheFile() throws {
        let file =
            #"{"databaseUrl":"host=file","keysFile":"/keys","listen":"0.0.0.0:1","maxHolds":7,"drainSeconds":"9"}"#
        let settings = try ServiceSettings(
            environment: ["ENTITLED_DATABASE_URL": "host=environment", "ENTITLED_LISTEN": "", "PATH": "/bin"],
            file: Array(file.utf8))
        #expect(settings.databaseURL == "host=environment")
        #expect(settings.listen == ListenSetting(address: "0.0.0.0", port: 1))
        #expect(settings.limits.holds == 7 && settings.drainSeconds == 9)
        #expect(settings.logLevel == .info)
    }

    @Test func allThatIsWrongIsToldAtOnceAndNoValueIsRepeated() {
        let environment = [
            "ENTITLED_DATABASE_URL": "postgresql://u:hunter2@db/x", "ENTITLED_LISTEN": "localhost",
            "ENTITLED_LOG_LEVEL": "loud", "ENTITLED_TLS_KEY": "/key", "ENTITLED_MAX_HOLDS": "-1",
        ]
        let file = Array(#"{"colour":"red","loops":[1]}"#.utf8)
        #expect {
            try ServiceSettings(environment: environment, file: file)
        } throws: { error in
            let text = "\(error)"
            let named = [
                "ENTITLED_KEYS_FILE", "ENTITLED_LISTEN", "ENTITLED_LOG_LEVEL", "ENTITLED_TLS_CERTIFICATE",
                "ENTITLED_MAX_HOLDS", "colour", "loops",
            ]
            return named.allSatisfy(text.contains) && !text.contains("hunter2") && !text.contains("localhost")
        }
    }

    @Test func aFileThatIsNoJSONIsTold() {
        for file in ["", "[]", "{"] {
            #expect(throws: ServiceError.self) {
                try ServiceSettings(
                    environment: ["ENTITLED_DATABASE_URL": "x", "ENTITLED_KEYS_FILE": "y"], file: Array(file.utf8))
            }
        }
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8080), ("[::1]:0", "::1", 0), ("0.0.0.0:65535", "0.0.0.0", 65535),
    ])
    func listenAddresses(text: String, address: String, port: Int) {
        let setting = ListenSetting(text)
        #expect(setting?.address == address && setting?.port == port && setting?.description == text)
    }

    @Test(arguments: ["", ":8080", "8080", "localhost:80", "::1:80", "1.2.3.4:65536", "1.2.3.4:-1", "[1.2.3.4]:80"])
    func listenAddressesWithoutSense(text: String) {
        #expect(ListenSetting(text) == nil)
    }
}
