public import Entitlements

extension CaseDefaults {
    /// The last resort, when no defaults file is at hand: the same values as the worked cases' own.
    public static func builtIn() throws(DocumentError) -> CaseDefaults {
        try CaseDefaults(JSONDocument(parsing: builtInText, file: "built-in defaults"))
    }

    private static let builtInText = """
        {
          "bundleId": "com.example.app",
          "appAppleId": 1234567890,
          "accounts": {
            "A1": "a1a1a1a1-0000-4000-8000-00000000000a",
            "A2": "a2a2a2a2-0000-4000-8000-00000000000b",
            "A3": "a3a3a3a3-0000-4000-8000-00000000000c"
          },
          "known": ["A1", "A2", "A3"],
          "catalog": {
            "products": {
              "pro.m": { "type": "Auto-Renewable Subscription", "subscriptionGroup": "main", "level": 2,
                         "entitlements": ["pro"] },
              "pro.q": { "type": "Auto-Renewable Subscription", "subscriptionGroup": "main", "level": 2,
                         "entitlements": ["pro"] },
              "pro.y": { "type": "Auto-Renewable Subscription", "subscriptionGroup": "main", "level": 2,
                         "entitlements": ["pro"] },
              "plus.m": { "type": "Auto-Renewable Subscription", "subscriptionGroup": "main", "level": 1,
                          "entitlements": ["plus"] },
              "news.m": { "type": "Auto-Renewable Subscription", "subscriptionGroup": "news", "level": 1,
                          "entitlements": ["news"] },
              "life": { "type": "Non-Consumable", "level": 3, "entitlements": ["pro"] },
              "export": { "type": "Non-Consumable", "level": 1, "entitlements": ["export"] },
              "pass30": { "type": "Non-Renewing Subscription", "level": 1, "entitlements": ["pro"],
                          "duration": "P30D", "stacking": "extend" },
              "pass1m": { "type": "Non-Renewing Subscription", "level": 1, "entitlements": ["pro"],
                          "duration": "P1M", "stacking": "overlap" },
              "coins100": { "type": "Consumable", "credits": { "currency": "coins", "amount": 100 } },
              "gems10": { "type": "Consumable", "credits": { "currency": "gems", "amount": 10 } }
            },
            "policies": { "honorGracePeriod": true, "refundDebt": "floor", "transfer": "onRestore",
                          "transferLimit": 2, "offlineGrace": "P3D", "staleAccess": "keep" }
          }
        }
        """
}
