// swift-format-ignore-file
// Made by scripts/embed-pages from docs/openapi.json and console/. Do not edit.

extension Page {
    /// The files that the service serves as they are, by name.
    static let embedded: [(name: String, text: String)] = [
        ("openapi.json", ##"""
{
  "openapi": "3.1.0",
  "info": {
    "title": "Entitled",
    "version": "1.0.0",
    "summary": "What each account has paid for in the App Store, and why.",
    "description": "Times are integer milliseconds since 1970 UTC, ids are strings, names are camelCase; fields of Apple keep their spelling. Unknown members and parameters are ignored, and answers may get new members: additive changes only within `/v1`. A GET may be asked as HEAD. Every refusal is `application/problem+json` with a stable `code`; a method that a path does not take is answered 405 with `Allow`. `traceparent` (W3C) is handed back and logged.",
    "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"}
  },
  "servers": [{"url": "/", "description": "The service that answers this."}],
  "security": [{"token": []}],
  "tags": [
    {"name": "Device", "description": "A device, for its own account."},
    {"name": "Backend", "description": "The app's backend."},
    {"name": "App Store", "description": "Apple's servers."},
    {"name": "Operators", "description": "Scope `support` may look and grant, `admin` all."},
    {"name": "Service", "description": "The service itself."}
  ],
  "paths": {
    "/v1/apps/{bundleId}/accounts/{account}/entitlements": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {"$ref": "#/components/parameters/account"}
      ],
      "get": {
        "operationId": "getEntitlements",
        "tags": ["Device"],
        "summary": "The snapshot, now or when it changes, or of another time",
        "description": "With `Accept: application/jose` the view comes as a JWS. `at` and `knownAt` are not for devices.",
        "security": [{"token": ["device", "backend", "support", "admin"]}],
        "parameters": [
          {"$ref": "#/components/parameters/environment"},
          {
            "name": "cursor",
            "in": "query",
            "description": "What the client has seen: with it the request is held until there is something newer. One that does not decode counts as none.",
            "schema": {"type": "string", "pattern": "^[^\\x00]*$"}
          },
          {"$ref": "#/components/parameters/wait"},
          {"$ref": "#/components/parameters/at"},
          {"$ref": "#/components/parameters/knownAt"},
          {"$ref": "#/components/parameters/installation"},
          {
            "name": "If-None-Match",
            "in": "header",
            "description": "The ETag of the view that the client has.",
            "schema": {"type": "string"}
          }
        ],
        "responses": {
          "200": {
            "description": "The whole view.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "Entitlement-Cursor": {"$ref": "#/components/headers/Entitlement-Cursor"},
              "Entitlement-Backoff-Ms": {"$ref": "#/components/headers/Entitlement-Backoff-Ms"},
              "ETag": {"$ref": "#/components/headers/ETag"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/View"},
                "example": {
                  "snapshot": {
                    "bundleId": "com.example.app",
                    "environment": "Sandbox",
                    "account": "a1a1a1a1-0000-4000-8000-00000000000a",
                    "version": 1,
                    "asOf": 1796104333000,
                    "nextChangeAt": 1798696332000,
                    "entitlements": [
                      {
                        "id": "pro",
                        "isActive": true,
                        "state": "active",
                        "productId": "pro.monthly",
                        "productType": "Auto-Renewable Subscription",
                        "purchaseDate": 1796104332000,
                        "originalPurchaseDate": 1796104332000,
                        "expiresDate": 1798696332000,
                        "gracePeriodExpiresDate": null,
                        "willRenew": true,
                        "nextProductId": null,
                        "ownershipType": "PURCHASED",
                        "offerType": null,
                        "revocationDate": null,
                        "transactionId": "2000000000000001",
                        "originalTransactionId": "2000000000000001",
                        "sources": ["2000000000000001"],
                        "activeIntervals": [[1796104332000, 1798696332000]],
                        "endIsFinal": false
                      }
                    ],
                    "balances": {"coins": 120},
                    "needsReconciliation": false,
                    "offline": {"graceMs": 259200000, "staleAccess": "keep"}
                  },
                  "cursor": "AQEAAAAAAAAAAQAAAAEAAAABAAAAAAAAAAEAAAGiMCkjeAAAAaLKp-tBmpzyO_b8LcOwPX7SiYdugQR2_INhxJWW"
                }
              },
              "application/jose": {
                "schema": {
                  "type": "string",
                  "description": "A JWS of the service over `{\"snapshot\":…,\"cursor\":…,\"serverTime\":…}`."
                }
              }
            }
          },
          "204": {
            "description": "Nothing newer than the cursor came while the poll was held.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "Entitlement-Cursor": {"$ref": "#/components/headers/Entitlement-Cursor"},
              "Entitlement-Backoff-Ms": {"$ref": "#/components/headers/Entitlement-Backoff-Ms"}
            }
          },
          "304": {
            "description": "The view is the one that `If-None-Match` names.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "Entitlement-Cursor": {"$ref": "#/components/headers/Entitlement-Cursor"},
              "Entitlement-Backoff-Ms": {"$ref": "#/components/headers/Entitlement-Backoff-Ms"},
              "ETag": {"$ref": "#/components/headers/ETag"}
            }
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/ForbiddenToDevice"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/accounts/{account}/transactions": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {"$ref": "#/components/parameters/account"}
      ],
      "post": {
        "operationId": "pushTransactions",
        "tags": ["Device"],
        "summary": "Hand over what StoreKit gave",
        "description": "Durable before the answer. Never moves a purchase from one account to another.",
        "security": [{"token": ["device"]}],
        "parameters": [
          {"$ref": "#/components/parameters/environment"},
          {"$ref": "#/components/parameters/installation"},
          {"$ref": "#/components/parameters/signed"}
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/Push"},
              "example": {"signedTransactions": ["eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"]}
            }
          }
        },
        "responses": {
          "200": {
            "description": "Stored: one result for each signed object, and the view after it.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "Entitlement-Cursor": {"$ref": "#/components/headers/Entitlement-Cursor"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Pushed"},
                "example": {
                  "results": [{"transactionId": "2000000000000001", "outcome": "recorded", "finish": true}],
                  "snapshot": {
                    "bundleId": "com.example.app",
                    "environment": "Sandbox",
                    "account": "a1a1a1a1-0000-4000-8000-00000000000a",
                    "version": 1,
                    "asOf": 1796104333000,
                    "nextChangeAt": 1798696332000,
                    "entitlements": [
                      {
                        "id": "pro",
                        "isActive": true,
                        "state": "active",
                        "productId": "pro.monthly",
                        "productType": "Auto-Renewable Subscription",
                        "purchaseDate": 1796104332000,
                        "originalPurchaseDate": 1796104332000,
                        "expiresDate": 1798696332000,
                        "gracePeriodExpiresDate": null,
                        "willRenew": true,
                        "nextProductId": null,
                        "ownershipType": "PURCHASED",
                        "offerType": null,
                        "revocationDate": null,
                        "transactionId": "2000000000000001",
                        "originalTransactionId": "2000000000000001",
                        "sources": ["2000000000000001"],
                        "activeIntervals": [[1796104332000, 1798696332000]],
                        "endIsFinal": false
                      }
                    ],
                    "balances": {"coins": 120},
                    "needsReconciliation": false,
                    "offline": {"graceMs": 259200000, "staleAccess": "keep"}
                  },
                  "cursor": "AQEAAAAAAAAAAQAAAAEAAAABAAAAAAAAAAEAAAGiMCkjeAAAAaLKp-tBmpzyO_b8LcOwPX7SiYdugQR2_INhxJWW"
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadPush"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/ForbiddenToDevice"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/accounts/{account}/restore": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {"$ref": "#/components/parameters/account"}
      ],
      "post": {
        "operationId": "restorePurchases",
        "tags": ["Device"],
        "summary": "The same, as the explicit wish of the person",
        "description": "The only call of a device that may move a purchase.",
        "security": [{"token": ["device"]}],
        "parameters": [
          {"$ref": "#/components/parameters/environment"},
          {"$ref": "#/components/parameters/installation"},
          {"$ref": "#/components/parameters/signed"}
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/Push"},
              "example": {"signedTransactions": ["eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"]}
            }
          }
        },
        "responses": {
          "200": {
            "description": "Stored: one result for each signed object, and the view after it.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "Entitlement-Cursor": {"$ref": "#/components/headers/Entitlement-Cursor"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Pushed"},
                "example": {
                  "results": [{"transactionId": "2000000000000001", "outcome": "recorded", "finish": true}],
                  "snapshot": {
                    "bundleId": "com.example.app",
                    "environment": "Sandbox",
                    "account": "a1a1a1a1-0000-4000-8000-00000000000a",
                    "version": 1,
                    "asOf": 1796104333000,
                    "nextChangeAt": 1798696332000,
                    "entitlements": [
                      {
                        "id": "pro",
                        "isActive": true,
                        "state": "active",
                        "productId": "pro.monthly",
                        "productType": "Auto-Renewable Subscription",
                        "purchaseDate": 1796104332000,
                        "originalPurchaseDate": 1796104332000,
                        "expiresDate": 1798696332000,
                        "gracePeriodExpiresDate": null,
                        "willRenew": true,
                        "nextProductId": null,
                        "ownershipType": "PURCHASED",
                        "offerType": null,
                        "revocationDate": null,
                        "transactionId": "2000000000000001",
                        "originalTransactionId": "2000000000000001",
                        "sources": ["2000000000000001"],
                        "activeIntervals": [[1796104332000, 1798696332000]],
                        "endIsFinal": false
                      }
                    ],
                    "balances": {"coins": 120},
                    "needsReconciliation": false,
                    "offline": {"graceMs": 259200000, "staleAccess": "keep"}
                  },
                  "cursor": "AQEAAAAAAAAAAQAAAAEAAAABAAAAAAAAAAEAAAGiMCkjeAAAAaLKp-tBmpzyO_b8LcOwPX7SiYdugQR2_INhxJWW"
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadPush"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/ForbiddenToDevice"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/accounts/{account}/updates": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {"$ref": "#/components/parameters/account"}
      ],
      "get": {
        "operationId": "getUpdates",
        "tags": ["Device"],
        "summary": "What happened, in order; held while there is nothing",
        "security": [{"token": ["device", "backend", "support", "admin"]}],
        "parameters": [
          {"$ref": "#/components/parameters/environment"},
          {"$ref": "#/components/parameters/after"},
          {"$ref": "#/components/parameters/wait"},
          {"$ref": "#/components/parameters/limit"},
          {"$ref": "#/components/parameters/installation"}
        ],
        "responses": {
          "200": {
            "description": "The events behind `after`.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["updates", "next"],
                  "properties": {
                    "updates": {"type": "array", "items": {"$ref": "#/components/schemas/HistoryEntry"}},
                    "next": {"type": "integer", "description": "The `after` of the next call."}
                  }
                },
                "example": {
                  "updates": [
                    {
                      "version": 1,
                      "type": "initial_purchase",
                      "effectiveAt": 1796104332000,
                      "recordedAt": 1796104332055,
                      "learnedAt": 1796104332055,
                      "source": "push",
                      "transactionId": "2000000000000001",
                      "originalTransactionId": "2000000000000001",
                      "productId": "pro.monthly"
                    }
                  ],
                  "next": 1
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/ForbiddenToDevice"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/accounts/{account}/balances/{currency}/spend": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {"$ref": "#/components/parameters/account"},
        {
          "name": "currency",
          "in": "path",
          "required": true,
          "description": "The currency, as the catalog names it.",
          "schema": {"type": "string", "minLength": 1, "maxLength": 255},
          "example": "coins"
        }
      ],
      "post": {
        "operationId": "spend",
        "tags": ["Device"],
        "summary": "Spend from a balance, once for each key",
        "security": [{"token": ["device", "backend", "admin"]}],
        "parameters": [
          {"$ref": "#/components/parameters/environment"},
          {"$ref": "#/components/parameters/installation"},
          {"$ref": "#/components/parameters/signed"},
          {"$ref": "#/components/parameters/reason"}
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": ["amount", "idempotencyKey"],
                "properties": {
                  "amount": {"type": "integer", "minimum": 1},
                  "idempotencyKey": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 128,
                    "pattern": "^[^\\x00-\\x1f\\x7f]+$"
                  }
                }
              },
              "example": {"amount": 80, "idempotencyKey": "order-1"}
            }
          }
        },
        "responses": {
          "200": {
            "description": "Spent, now or by an earlier call with the same key.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "Entitlement-Cursor": {"$ref": "#/components/headers/Entitlement-Cursor"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Done"},
                "example": {
                  "outcome": "recorded",
                  "snapshot": {
                    "bundleId": "com.example.app",
                    "environment": "Sandbox",
                    "account": "a1a1a1a1-0000-4000-8000-00000000000a",
                    "version": 1,
                    "asOf": 1796104333000,
                    "nextChangeAt": 1798696332000,
                    "entitlements": [
                      {
                        "id": "pro",
                        "isActive": true,
                        "state": "active",
                        "productId": "pro.monthly",
                        "productType": "Auto-Renewable Subscription",
                        "purchaseDate": 1796104332000,
                        "originalPurchaseDate": 1796104332000,
                        "expiresDate": 1798696332000,
                        "gracePeriodExpiresDate": null,
                        "willRenew": true,
                        "nextProductId": null,
                        "ownershipType": "PURCHASED",
                        "offerType": null,
                        "revocationDate": null,
                        "transactionId": "2000000000000001",
                        "originalTransactionId": "2000000000000001",
                        "sources": ["2000000000000001"],
                        "activeIntervals": [[1796104332000, 1798696332000]],
                        "endIsFinal": false
                      }
                    ],
                    "balances": {"coins": 120},
                    "needsReconciliation": false,
                    "offline": {"graceMs": 259200000, "staleAccess": "keep"}
                  },
                  "cursor": "AQEAAAAAAAAAAQAAAAEAAAABAAAAAAAAAAEAAAGiMCkjeAAAAaLKp-tBmpzyO_b8LcOwPX7SiYdugQR2_INhxJWW"
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/ForbiddenToDevice"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {
            "description": "The balance is too low, or the key was used for another spend.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/problem+json": {
                "schema": {
                  "allOf": [
                    {"$ref": "#/components/schemas/Problem"},
                    {"properties": {"code": {"enum": ["insufficientBalance", "idempotencyConflict"]}}}
                  ]
                },
                "examples": {
                  "insufficientBalance": {
                    "value": {
                      "type": "urn:entitled:problem:insufficientBalance",
                      "title": "Balance too low",
                      "status": 409,
                      "code": "insufficientBalance",
                      "detail": "The balance does not cover the amount. Spend less, or buy more first.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  },
                  "idempotencyConflict": {
                    "value": {
                      "type": "urn:entitled:problem:idempotencyConflict",
                      "title": "Key used before",
                      "status": 409,
                      "code": "idempotencyConflict",
                      "detail": "The idempotency key was used for another spend. Use a new key for a new spend.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  }
                }
              }
            }
          },
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {
            "description": "The amount is not a positive whole number.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/problem+json": {
                "schema": {
                  "allOf": [
                    {"$ref": "#/components/schemas/Problem"},
                    {"properties": {"code": {"enum": ["invalidAmount"]}}}
                  ]
                },
                "examples": {
                  "invalidAmount": {
                    "value": {
                      "type": "urn:entitled:problem:invalidAmount",
                      "title": "Invalid amount",
                      "status": 422,
                      "code": "invalidAmount",
                      "detail": "The amount is not a positive whole number. Send one.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  }
                }
              }
            }
          },
          "429": {"$ref": "#/components/responses/RateLimited"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/accounts/{account}": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {"$ref": "#/components/parameters/account"}
      ],
      "put": {
        "operationId": "registerAccount",
        "tags": ["Backend"],
        "summary": "Make an account known",
        "security": [{"token": ["backend", "admin"]}],
        "responses": {
          "200": {
            "description": "Known from now on.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["account"],
                  "properties": {"account": {"$ref": "#/components/schemas/Account"}}
                },
                "example": {"account": "a1a1a1a1-0000-4000-8000-00000000000a"}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/accounts/{account}/tokens": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {"$ref": "#/components/parameters/account"}
      ],
      "post": {
        "operationId": "issueDeviceToken",
        "tags": ["Backend"],
        "summary": "A short-lived token for a device",
        "security": [{"token": ["backend", "admin"]}],
        "parameters": [
          {
            "name": "ttl",
            "in": "query",
            "description": "Seconds it lives.",
            "schema": {"type": "integer", "minimum": 60, "maximum": 86400, "default": 3600}
          }
        ],
        "responses": {
          "201": {
            "description": "Issued; the account is known from now on.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["token", "expiresAt"],
                  "properties": {
                    "token": {"type": "string", "description": "A JWT. Secret."},
                    "expiresAt": {"$ref": "#/components/schemas/Milliseconds"}
                  }
                },
                "example": {"token": "eyJhbGciOiJFZERTQSJ9.e30.c2ln", "expiresAt": 1796107932000}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/notifications/appstore": {
      "parameters": [{"$ref": "#/components/parameters/bundleId"}],
      "post": {
        "operationId": "receiveNotification",
        "tags": ["App Store"],
        "summary": "App Store Server Notifications V2",
        "description": "Anybody may call it: Apple's signature is the proof. The status decides whether the App Store sends again.",
        "security": [],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": ["signedPayload"],
                "properties": {"signedPayload": {"$ref": "#/components/schemas/SignedData"}}
              },
              "example": {"signedPayload": "eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.c2lnbmF0dXJl"}
            }
          }
        },
        "responses": {
          "200": {
            "description": "Taken; the App Store need not send it again.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/NotificationOutcome"},
                "example": {"outcome": "recorded"}
              }
            }
          },
          "400": {
            "description": "The body has no sense, or Apple did not sign it.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/problem+json": {
                "schema": {
                  "allOf": [
                    {"$ref": "#/components/schemas/Problem"},
                    {
                      "properties": {
                        "code": {
                          "enum": [
                            "malformedRequest", "invalidParameter", "invalidJSON", "invalidBody",
                            "rejectedSignedData"
                          ]
                        }
                      }
                    }
                  ]
                },
                "examples": {
                  "malformedRequest": {
                    "value": {
                      "type": "urn:entitled:problem:malformedRequest",
                      "title": "Malformed request",
                      "status": 400,
                      "code": "malformedRequest",
                      "detail": "The request is not valid HTTP/1.1, or two programs could read it differently. Mend the program that wrote it; the connection is closed.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  },
                  "invalidParameter": {
                    "value": {
                      "type": "urn:entitled:problem:invalidParameter",
                      "title": "Invalid parameter",
                      "status": 400,
                      "code": "invalidParameter",
                      "detail": "A part of the path, of the query or a header has no sense. Mend the parameter named in the answer.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  },
                  "invalidJSON": {
                    "value": {
                      "type": "urn:entitled:problem:invalidJSON",
                      "title": "Body is not JSON",
                      "status": 400,
                      "code": "invalidJSON",
                      "detail": "The body is no JSON text in UTF-8, or is nested too deeply. Mend it at the line and column given.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  },
                  "invalidBody": {
                    "value": {
                      "type": "urn:entitled:problem:invalidBody",
                      "title": "Body has the wrong form",
                      "status": 400,
                      "code": "invalidBody",
                      "detail": "A member of the body is missing or has the wrong type. Mend the member named in the answer.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  },
                  "rejectedSignedData": {
                    "value": {
                      "type": "urn:entitled:problem:rejectedSignedData",
                      "title": "Signed data rejected",
                      "status": 400,
                      "code": "rejectedSignedData",
                      "detail": "The data was not signed by Apple as it should be, or is damaged. Nothing was stored. `entitled verify` tells which check failed.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  }
                }
              }
            }
          },
          "404": {"$ref": "#/components/responses/UnknownRoute"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {
            "description": "Genuine, but for another app or environment.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/problem+json": {
                "schema": {
                  "allOf": [
                    {"$ref": "#/components/schemas/Problem"},
                    {"properties": {"code": {"enum": ["otherApp", "environmentNotServed"]}}}
                  ]
                },
                "examples": {
                  "otherApp": {
                    "value": {
                      "type": "urn:entitled:problem:otherApp",
                      "title": "Signed for another app",
                      "status": 422,
                      "code": "otherApp",
                      "detail": "The data is genuine, but for another bundle id or app id. Nothing was stored. Check the address set in App Store Connect and the app's id in the catalog.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  },
                  "environmentNotServed": {
                    "value": {
                      "type": "urn:entitled:problem:environmentNotServed",
                      "title": "Signed for another app",
                      "status": 422,
                      "code": "environmentNotServed",
                      "detail": "The data is genuine, but of an environment that this app does not take. Check the environments of `entitled app list`.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  }
                }
              }
            }
          },
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {
            "description": "Not now: the App Store sends it again.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "Retry-After": {"$ref": "#/components/headers/Retry-After"}
            },
            "content": {
              "application/problem+json": {
                "schema": {
                  "allOf": [
                    {"$ref": "#/components/schemas/Problem"},
                    {
                      "properties": {
                        "code": {"enum": ["overloaded", "databaseUnavailable", "appNotConfigured"]}
                      }
                    }
                  ]
                },
                "examples": {
                  "overloaded": {
                    "value": {
                      "type": "urn:entitled:problem:overloaded",
                      "title": "Overloaded",
                      "status": 503,
                      "code": "overloaded",
                      "detail": "The service has as much to do as it can take. Wait for the seconds of Retry-After.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  },
                  "databaseUnavailable": {
                    "value": {
                      "type": "urn:entitled:problem:databaseUnavailable",
                      "title": "Database away",
                      "status": 503,
                      "code": "databaseUnavailable",
                      "detail": "The database cannot be reached; nothing was acknowledged. Wait for the seconds of Retry-After. Operators: see /readyz and the database's log.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  },
                  "appNotConfigured": {
                    "value": {
                      "type": "urn:entitled:problem:appNotConfigured",
                      "title": "App not configured",
                      "status": 503,
                      "code": "appNotConfigured",
                      "detail": "No app of this bundle id is served yet, so the notification was not taken. Add the app; the App Store sends the notification again.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  }
                }
              }
            }
          },
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/accounts/{account}/explain": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {"$ref": "#/components/parameters/account"}
      ],
      "get": {
        "operationId": "explain",
        "tags": ["Operators"],
        "summary": "Why the account has what it has",
        "security": [{"token": ["support", "admin"]}],
        "parameters": [
          {"$ref": "#/components/parameters/environment"},
          {"$ref": "#/components/parameters/at"},
          {"$ref": "#/components/parameters/knownAt"},
          {
            "name": "entitlement",
            "in": "query",
            "description": "Leaves the other entitlements out.",
            "schema": {"type": "string", "pattern": "^[^\\x00]*$"}
          }
        ],
        "responses": {
          "200": {
            "description": "Every conclusion with its rule, transaction and event.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Explanation"}}}
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/accounts/{account}/history": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {"$ref": "#/components/parameters/account"}
      ],
      "get": {
        "operationId": "getHistory",
        "tags": ["Operators"],
        "summary": "What happened, in the order it was learned",
        "security": [{"token": ["support", "admin"]}],
        "parameters": [
          {"$ref": "#/components/parameters/environment"},
          {"$ref": "#/components/parameters/after"},
          {"$ref": "#/components/parameters/limit"}
        ],
        "responses": {
          "200": {
            "description": "The events.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["history", "next"],
                  "properties": {
                    "history": {"type": "array", "items": {"$ref": "#/components/schemas/HistoryEntry"}},
                    "next": {
                      "type": ["integer", "null"],
                      "description": "The `after` of the next call; null at the end."
                    }
                  }
                },
                "example": {
                  "history": [
                    {
                      "version": 1,
                      "type": "initial_purchase",
                      "effectiveAt": 1796104332000,
                      "recordedAt": 1796104332055,
                      "learnedAt": 1796104332055,
                      "source": "push",
                      "transactionId": "2000000000000001",
                      "originalTransactionId": "2000000000000001",
                      "productId": "pro.monthly"
                    }
                  ],
                  "next": null
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/accounts/{account}/export": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {"$ref": "#/components/parameters/account"}
      ],
      "get": {
        "operationId": "exportAccount",
        "tags": ["Operators"],
        "summary": "All that is stored about an account",
        "security": [{"token": ["support", "admin"]}],
        "parameters": [
          {
            "name": "environment",
            "in": "query",
            "description": "One environment; all when left out.",
            "schema": {"$ref": "#/components/schemas/Environment"},
            "example": "Sandbox"
          },
          {"$ref": "#/components/parameters/after"},
          {
            "name": "limit",
            "in": "query",
            "description": "Events of an environment at most.",
            "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 1000}
          }
        ],
        "responses": {
          "200": {
            "description": "As it was signed, and what follows.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Export"}}}
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/accounts/{account}/grants": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {"$ref": "#/components/parameters/account"}
      ],
      "post": {
        "operationId": "grant",
        "tags": ["Operators"],
        "summary": "Give access for a time",
        "security": [{"token": ["support", "admin"]}],
        "parameters": [
          {"$ref": "#/components/parameters/environment"},
          {"$ref": "#/components/parameters/installation"},
          {"$ref": "#/components/parameters/signed"}
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": ["entitlement"],
                "properties": {
                  "id": {
                    "type": ["string", "null"],
                    "minLength": 1,
                    "maxLength": 128,
                    "pattern": "^[^\\x00-\\x1f\\x7f]+$",
                    "description": "Unique in the app; made up when left out."
                  },
                  "entitlement": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 256,
                    "pattern": "^[^\\x00-\\x1f\\x7f]+$"
                  },
                  "from": {
                    "type": ["integer", "null"],
                    "minimum": 946684800000,
                    "maximum": 4133980799999,
                    "description": "Now when left out."
                  },
                  "until": {
                    "type": ["integer", "null"],
                    "description": "For ever when left out; else later than `from`.",
                    "maximum": 253402300799999
                  },
                  "reason": {
                    "type": ["string", "null"],
                    "minLength": 1,
                    "maxLength": 1024,
                    "pattern": "^[^\\x00-\\x1f\\x7f]+$"
                  }
                }
              },
              "example": {"entitlement": "pro", "until": 1798696332000, "reason": "sorry for the trouble"}
            }
          }
        },
        "responses": {
          "200": {
            "description": "Given.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "Entitlement-Cursor": {"$ref": "#/components/headers/Entitlement-Cursor"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Done"},
                "example": {
                  "outcome": "recorded",
                  "id": "grant-6f1d",
                  "snapshot": {
                    "bundleId": "com.example.app",
                    "environment": "Sandbox",
                    "account": "a1a1a1a1-0000-4000-8000-00000000000a",
                    "version": 1,
                    "asOf": 1796104333000,
                    "nextChangeAt": 1798696332000,
                    "entitlements": [
                      {
                        "id": "pro",
                        "isActive": true,
                        "state": "active",
                        "productId": "pro.monthly",
                        "productType": "Auto-Renewable Subscription",
                        "purchaseDate": 1796104332000,
                        "originalPurchaseDate": 1796104332000,
                        "expiresDate": 1798696332000,
                        "gracePeriodExpiresDate": null,
                        "willRenew": true,
                        "nextProductId": null,
                        "ownershipType": "PURCHASED",
                        "offerType": null,
                        "revocationDate": null,
                        "transactionId": "2000000000000001",
                        "originalTransactionId": "2000000000000001",
                        "sources": ["2000000000000001"],
                        "activeIntervals": [[1796104332000, 1798696332000]],
                        "endIsFinal": false
                      }
                    ],
                    "balances": {"coins": 120},
                    "needsReconciliation": false,
                    "offline": {"graceMs": 259200000, "staleAccess": "keep"}
                  },
                  "cursor": "AQEAAAAAAAAAAQAAAAEAAAABAAAAAAAAAAEAAAGiMCkjeAAAAaLKp-tBmpzyO_b8LcOwPX7SiYdugQR2_INhxJWW"
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {
            "description": "There is another grant of this id.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/problem+json": {
                "schema": {
                  "allOf": [
                    {"$ref": "#/components/schemas/Problem"},
                    {"properties": {"code": {"enum": ["grantExists"]}}}
                  ]
                },
                "examples": {
                  "grantExists": {
                    "value": {
                      "type": "urn:entitled:problem:grantExists",
                      "title": "Grant exists",
                      "status": 409,
                      "code": "grantExists",
                      "detail": "There is another grant of this id. Choose another id, or leave it out.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  }
                }
              }
            }
          },
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/grants/{id}": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {
          "name": "id",
          "in": "path",
          "required": true,
          "description": "The grant.",
          "schema": {"type": "string", "minLength": 1, "maxLength": 128},
          "example": "grant-6f1d"
        }
      ],
      "delete": {
        "operationId": "revokeGrant",
        "tags": ["Operators"],
        "summary": "Take a grant back",
        "security": [{"token": ["support", "admin"]}],
        "parameters": [
          {"$ref": "#/components/parameters/environment"},
          {"$ref": "#/components/parameters/installation"},
          {"$ref": "#/components/parameters/signed"},
          {"$ref": "#/components/parameters/reason"}
        ],
        "responses": {
          "200": {
            "description": "Taken back.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "Entitlement-Cursor": {"$ref": "#/components/headers/Entitlement-Cursor"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Done"},
                "example": {
                  "outcome": "recorded",
                  "snapshot": {
                    "bundleId": "com.example.app",
                    "environment": "Sandbox",
                    "account": "a1a1a1a1-0000-4000-8000-00000000000a",
                    "version": 1,
                    "asOf": 1796104333000,
                    "nextChangeAt": 1798696332000,
                    "entitlements": [
                      {
                        "id": "pro",
                        "isActive": true,
                        "state": "active",
                        "productId": "pro.monthly",
                        "productType": "Auto-Renewable Subscription",
                        "purchaseDate": 1796104332000,
                        "originalPurchaseDate": 1796104332000,
                        "expiresDate": 1798696332000,
                        "gracePeriodExpiresDate": null,
                        "willRenew": true,
                        "nextProductId": null,
                        "ownershipType": "PURCHASED",
                        "offerType": null,
                        "revocationDate": null,
                        "transactionId": "2000000000000001",
                        "originalTransactionId": "2000000000000001",
                        "sources": ["2000000000000001"],
                        "activeIntervals": [[1796104332000, 1798696332000]],
                        "endIsFinal": false
                      }
                    ],
                    "balances": {"coins": 120},
                    "needsReconciliation": false,
                    "offline": {"graceMs": 259200000, "staleAccess": "keep"}
                  },
                  "cursor": "AQEAAAAAAAAAAQAAAAEAAAABAAAAAAAAAAEAAAGiMCkjeAAAAaLKp-tBmpzyO_b8LcOwPX7SiYdugQR2_INhxJWW"
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/GrantNotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/accounts/{account}/transfer": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {"$ref": "#/components/parameters/account"}
      ],
      "post": {
        "operationId": "transfer",
        "tags": ["Operators"],
        "summary": "Move a purchase to this account",
        "security": [{"token": ["admin"]}],
        "parameters": [
          {"$ref": "#/components/parameters/environment"},
          {"$ref": "#/components/parameters/installation"},
          {"$ref": "#/components/parameters/signed"},
          {"$ref": "#/components/parameters/reason"}
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": ["originalTransactionId"],
                "properties": {
                  "originalTransactionId": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 64,
                    "pattern": "^[^\\x00-\\x1f\\x7f]+$"
                  }
                }
              },
              "example": {"originalTransactionId": "2000000000000001"}
            }
          }
        },
        "responses": {
          "200": {
            "description": "Moved; both accounts get the event.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "Entitlement-Cursor": {"$ref": "#/components/headers/Entitlement-Cursor"}
            },
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Done"},
                "example": {
                  "outcome": "recorded",
                  "snapshot": {
                    "bundleId": "com.example.app",
                    "environment": "Sandbox",
                    "account": "a1a1a1a1-0000-4000-8000-00000000000a",
                    "version": 1,
                    "asOf": 1796104333000,
                    "nextChangeAt": 1798696332000,
                    "entitlements": [
                      {
                        "id": "pro",
                        "isActive": true,
                        "state": "active",
                        "productId": "pro.monthly",
                        "productType": "Auto-Renewable Subscription",
                        "purchaseDate": 1796104332000,
                        "originalPurchaseDate": 1796104332000,
                        "expiresDate": 1798696332000,
                        "gracePeriodExpiresDate": null,
                        "willRenew": true,
                        "nextProductId": null,
                        "ownershipType": "PURCHASED",
                        "offerType": null,
                        "revocationDate": null,
                        "transactionId": "2000000000000001",
                        "originalTransactionId": "2000000000000001",
                        "sources": ["2000000000000001"],
                        "activeIntervals": [[1796104332000, 1798696332000]],
                        "endIsFinal": false
                      }
                    ],
                    "balances": {"coins": 120},
                    "needsReconciliation": false,
                    "offline": {"graceMs": 259200000, "staleAccess": "keep"}
                  },
                  "cursor": "AQEAAAAAAAAAAQAAAAEAAAABAAAAAAAAAAEAAAGiMCkjeAAAAaLKp-tBmpzyO_b8LcOwPX7SiYdugQR2_INhxJWW"
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadBody"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/PurchaseNotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {
            "description": "It cannot move.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/problem+json": {
                "schema": {
                  "allOf": [
                    {"$ref": "#/components/schemas/Problem"},
                    {"properties": {"code": {"enum": ["lineageLocked", "alreadyOwner", "consumableLineage"]}}}
                  ]
                },
                "examples": {
                  "lineageLocked": {
                    "value": {
                      "type": "urn:entitled:problem:lineageLocked",
                      "title": "Purchase locked",
                      "status": 409,
                      "code": "lineageLocked",
                      "detail": "The purchase's owner was erased; it stays locked until an operator frees it. Free it first: `entitled unclaimed --free`.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  },
                  "alreadyOwner": {
                    "value": {
                      "type": "urn:entitled:problem:alreadyOwner",
                      "title": "Owned already",
                      "status": 409,
                      "code": "alreadyOwner",
                      "detail": "The purchase belongs to this account. There is nothing to do.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  },
                  "consumableLineage": {
                    "value": {
                      "type": "urn:entitled:problem:consumableLineage",
                      "title": "Consumable",
                      "status": 409,
                      "code": "consumableLineage",
                      "detail": "A consumable belongs to whoever got its credit and never moves. Grant instead.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  }
                }
              }
            }
          },
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/accounts/{account}/erase": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {"$ref": "#/components/parameters/account"}
      ],
      "post": {
        "operationId": "erase",
        "tags": ["Operators"],
        "summary": "Forget a person",
        "security": [{"token": ["admin"]}],
        "responses": {
          "200": {
            "description": "Erased in every environment: view, payloads and the link to the account. What it owned stays locked.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Outcome"},
                "example": {"outcome": "recorded"}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        },
        "parameters": [{"$ref": "#/components/parameters/reason"}]
      }
    },
    "/v1/apps/{bundleId}/lineages/{id}/free": {
      "parameters": [
        {"$ref": "#/components/parameters/bundleId"},
        {
          "name": "id",
          "in": "path",
          "required": true,
          "description": "The original transaction id.",
          "schema": {"type": "string", "minLength": 1, "maxLength": 64},
          "example": "2000000000000001"
        }
      ],
      "post": {
        "operationId": "freePurchase",
        "tags": ["Operators"],
        "summary": "Let a locked purchase be claimed again",
        "security": [{"token": ["admin"]}],
        "parameters": [
          {"$ref": "#/components/parameters/environment"},
          {"$ref": "#/components/parameters/reason"}
        ],
        "responses": {
          "200": {
            "description": "Free.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Outcome"},
                "example": {"outcome": "recorded"}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/PurchaseNotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "409": {
            "description": "It is not locked.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/problem+json": {
                "schema": {
                  "allOf": [
                    {"$ref": "#/components/schemas/Problem"},
                    {"properties": {"code": {"enum": ["notLocked"]}}}
                  ]
                },
                "examples": {
                  "notLocked": {
                    "value": {
                      "type": "urn:entitled:problem:notLocked",
                      "title": "Not locked",
                      "status": 409,
                      "code": "notLocked",
                      "detail": "The purchase is not locked. There is nothing to do.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  }
                }
              }
            }
          },
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/unclaimed": {
      "parameters": [{"$ref": "#/components/parameters/bundleId"}],
      "get": {
        "operationId": "listUnclaimed",
        "tags": ["Operators"],
        "summary": "Purchases that belong to nobody",
        "security": [{"token": ["support", "admin"]}],
        "parameters": [
          {"$ref": "#/components/parameters/environment"},
          {
            "name": "after",
            "in": "query",
            "description": "The last id of the page before.",
            "schema": {"type": "string", "pattern": "^[^\\x00]*$"}
          },
          {"$ref": "#/components/parameters/limit"}
        ],
        "responses": {
          "200": {
            "description": "One page.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["unclaimed", "next"],
                  "properties": {
                    "unclaimed": {
                      "type": "array",
                      "items": {"type": "string"},
                      "description": "Original transaction ids, ascending."
                    },
                    "next": {
                      "type": ["string", "null"],
                      "description": "The `after` of the next call; null at the end."
                    }
                  }
                },
                "example": {"unclaimed": ["2000000000000001"], "next": null}
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/catalog": {
      "parameters": [{"$ref": "#/components/parameters/bundleId"}],
      "get": {
        "operationId": "getCatalog",
        "tags": ["Operators"],
        "summary": "The catalog in force",
        "security": [{"token": ["backend", "support", "admin"]}],
        "responses": {
          "200": {
            "description": "The newest revision.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["revision", "catalog"],
                  "properties": {
                    "revision": {"type": "integer"},
                    "catalog": {"$ref": "#/components/schemas/Catalog"}
                  }
                },
                "example": {
                  "revision": 1,
                  "catalog": {
                    "bundleId": "com.example.app",
                    "appAppleId": 1234567890,
                    "products": {
                      "pro.monthly": {
                        "type": "Auto-Renewable Subscription",
                        "subscriptionGroup": "pro",
                        "level": 1,
                        "entitlements": ["pro"]
                      },
                      "coins.100": {"type": "Consumable", "credits": {"currency": "coins", "amount": 100}}
                    },
                    "policies": {"honorGracePeriod": true, "transfer": "onRestore", "offlineGrace": "P3D"}
                  }
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      },
      "put": {
        "operationId": "putCatalog",
        "tags": ["Operators"],
        "summary": "Put a catalog into force",
        "security": [{"token": ["admin"]}],
        "parameters": [
          {"$ref": "#/components/parameters/reason"},
          {
            "name": "dryRun",
            "in": "query",
            "description": "Only says what would change.",
            "schema": {"type": "boolean", "default": false}
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/Catalog"},
              "example": {
                "bundleId": "com.example.app",
                "appAppleId": 1234567890,
                "products": {
                  "pro.monthly": {
                    "type": "Auto-Renewable Subscription",
                    "subscriptionGroup": "pro",
                    "level": 1,
                    "entitlements": ["pro"]
                  },
                  "coins.100": {"type": "Consumable", "credits": {"currency": "coins", "amount": 100}}
                },
                "policies": {"honorGracePeriod": true, "transfer": "onRestore", "offlineGrace": "P3D"}
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "In force; what changed.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["outcome", "revision", "changes"],
                  "properties": {
                    "outcome": {"type": "string", "enum": ["recorded", "duplicate", "wouldBeRecorded"]},
                    "revision": {"type": "integer"},
                    "changes": {"type": "array", "items": {"$ref": "#/components/schemas/CatalogChange"}}
                  }
                },
                "example": {
                  "outcome": "recorded",
                  "revision": 2,
                  "changes": [
                    {
                      "place": "products.coins.100.credits",
                      "old": {"currency": "coins", "amount": 50},
                      "new": {"currency": "coins", "amount": 100}
                    }
                  ]
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "422": {
            "description": "The catalog contradicts itself or the path.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/problem+json": {
                "schema": {
                  "allOf": [
                    {"$ref": "#/components/schemas/Problem"},
                    {"properties": {"code": {"enum": ["invalidCatalog"]}}}
                  ]
                },
                "examples": {
                  "invalidCatalog": {
                    "value": {
                      "type": "urn:entitled:problem:invalidCatalog",
                      "title": "Invalid catalog",
                      "status": 422,
                      "code": "invalidCatalog",
                      "detail": "The catalog contradicts itself or the app in the path. Mend the member named in the answer.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  }
                }
              }
            }
          },
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/healthz": {
      "get": {
        "operationId": "health",
        "tags": ["Service"],
        "summary": "Whether the process lives",
        "security": [],
        "responses": {
          "200": {
            "description": "It does.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Status"},
                "example": {"status": "alive"}
              }
            }
          },
          "400": {"$ref": "#/components/responses/MalformedRequest"},
          "404": {"$ref": "#/components/responses/UnknownRoute"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/readyz": {
      "get": {
        "operationId": "readiness",
        "tags": ["Service"],
        "summary": "Whether it should be sent requests",
        "security": [],
        "responses": {
          "200": {
            "description": "It should.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/Status"},
                "example": {"status": "ready"}
              }
            }
          },
          "400": {"$ref": "#/components/responses/MalformedRequest"},
          "404": {"$ref": "#/components/responses/UnknownRoute"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {
            "description": "It should not.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "Retry-After": {"$ref": "#/components/headers/Retry-After"}
            },
            "content": {
              "application/problem+json": {
                "schema": {
                  "allOf": [
                    {"$ref": "#/components/schemas/Problem"},
                    {"properties": {"code": {"enum": ["overloaded", "draining", "notReady"]}}}
                  ]
                },
                "examples": {
                  "overloaded": {
                    "value": {
                      "type": "urn:entitled:problem:overloaded",
                      "title": "Overloaded",
                      "status": 503,
                      "code": "overloaded",
                      "detail": "The service has as much to do as it can take. Wait for the seconds of Retry-After.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  },
                  "draining": {
                    "value": {
                      "type": "urn:entitled:problem:draining",
                      "title": "Shutting down",
                      "status": 503,
                      "code": "draining",
                      "detail": "This instance is about to end. Connect again; another instance answers.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  },
                  "notReady": {
                    "value": {
                      "type": "urn:entitled:problem:notReady",
                      "title": "Not ready",
                      "status": 503,
                      "code": "notReady",
                      "detail": "This instance cannot serve yet, or not any more. Operators: the answer names the reason.",
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                    }
                  }
                }
              }
            }
          },
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/.well-known/jwks.json": {
      "get": {
        "operationId": "getKeys",
        "tags": ["Service"],
        "summary": "Public keys of the service",
        "security": [],
        "responses": {
          "200": {
            "description": "May be kept for five minutes.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {"$ref": "#/components/schemas/KeySet"},
                "example": {
                  "keys": [
                    {
                      "kty": "OKP",
                      "crv": "Ed25519",
                      "use": "sig",
                      "alg": "EdDSA",
                      "kid": "XbuLDeM3JOsFSDy_dz23h-_KDZJQVUvmPMckAGpeg0o",
                      "x": "M3L0lEoSv1e5J-tqpfojLp1rQkvsmxWKtEgNKD3rXCM"
                    }
                  ]
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/MalformedRequest"},
          "404": {"$ref": "#/components/responses/UnknownRoute"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/openapi.json": {
      "get": {
        "operationId": "getDescription",
        "tags": ["Service"],
        "summary": "This description",
        "security": [],
        "parameters": [
          {
            "name": "If-None-Match",
            "in": "header",
            "description": "The ETag of the description that the caller has.",
            "schema": {"type": "string"}
          }
        ],
        "responses": {
          "200": {
            "description": "OpenAPI 3.1.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "ETag": {"$ref": "#/components/headers/ETag"}
            },
            "content": {"application/json": {"schema": {"type": "object"}}}
          },
          "304": {
            "description": "The description is the one that `If-None-Match` names.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "ETag": {"$ref": "#/components/headers/ETag"}
            }
          },
          "400": {"$ref": "#/components/responses/MalformedRequest"},
          "404": {"$ref": "#/components/responses/UnknownRoute"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/metrics": {
      "get": {
        "operationId": "getMetrics",
        "tags": ["Service"],
        "summary": "Numbers for Prometheus",
        "security": [{"token": ["metrics", "support", "admin"]}],
        "responses": {
          "200": {
            "description": "Text format 0.0.4.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {"text/plain": {"schema": {"type": "string"}}}
          },
          "400": {"$ref": "#/components/responses/MalformedRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/UnknownRoute"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Busy"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/catalog/revisions": {
      "parameters": [{"$ref": "#/components/parameters/bundleId"}],
      "get": {
        "operationId": "listCatalogRevisions",
        "tags": ["Operators"],
        "summary": "What the catalog was before, the newest first",
        "security": [{"token": ["support", "admin"]}],
        "parameters": [
          {
            "name": "before",
            "in": "query",
            "description": "Only revisions before this one.",
            "schema": {"type": "integer", "minimum": 1, "maximum": 2147483647}
          },
          {"$ref": "#/components/parameters/limit"}
        ],
        "responses": {
          "200": {
            "description": "One page.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["revisions", "next"],
                  "properties": {
                    "revisions": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "required": ["revision", "recordedAt", "actor", "reason", "changes"],
                        "properties": {
                          "revision": {"type": "integer"},
                          "recordedAt": {"$ref": "#/components/schemas/Milliseconds"},
                          "actor": {"type": "string"},
                          "reason": {"type": "string"},
                          "changes": {
                            "description": "Against the revision before; null for the first.",
                            "anyOf": [
                              {"type": "array", "items": {"$ref": "#/components/schemas/CatalogChange"}},
                              {"type": "null"}
                            ]
                          }
                        }
                      }
                    },
                    "next": {
                      "type": ["integer", "null"],
                      "description": "The `before` of the next call; null at the end."
                    }
                  }
                },
                "example": {
                  "revisions": [
                    {
                      "revision": 1,
                      "recordedAt": 1796104332000,
                      "actor": "entitled dev",
                      "reason": "first start",
                      "changes": null
                    }
                  ],
                  "next": null
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps": {
      "get": {
        "operationId": "listApps",
        "tags": ["Operators"],
        "summary": "The apps served, as far as the token goes",
        "security": [{"token": ["support", "admin"]}],
        "responses": {
          "200": {
            "description": "By bundle id.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["apps"],
                  "properties": {
                    "apps": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "required": ["bundleId", "appAppleId", "environments", "catalogRevision"],
                        "properties": {
                          "bundleId": {"type": "string"},
                          "appAppleId": {"type": ["integer", "null"]},
                          "environments": {
                            "type": "array",
                            "items": {"$ref": "#/components/schemas/Environment"}
                          },
                          "catalogRevision": {"type": "integer"}
                        }
                      }
                    }
                  }
                },
                "example": {
                  "apps": [
                    {
                      "bundleId": "com.example.app",
                      "appAppleId": 1234567890,
                      "environments": ["Production", "Sandbox"],
                      "catalogRevision": 1
                    }
                  ]
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/MalformedRequest"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/ForbiddenScope"},
          "404": {"$ref": "#/components/responses/UnknownRoute"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Busy"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/accounts": {
      "parameters": [{"$ref": "#/components/parameters/bundleId"}],
      "get": {
        "operationId": "findAccounts",
        "tags": ["Operators"],
        "summary": "Find an account by any id",
        "description": "A purchase names the accounts that own it or did.",
        "security": [{"token": ["support", "admin"]}],
        "parameters": [
          {
            "name": "id",
            "in": "query",
            "required": true,
            "description": "An account, a transaction id, an original transaction id or the id of a grant.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[^\\x00]+$"},
            "example": "2000000000000001"
          },
          {
            "name": "environment",
            "in": "query",
            "description": "One environment; all when left out.",
            "schema": {"$ref": "#/components/schemas/Environment"},
            "example": "Sandbox"
          }
        ],
        "responses": {
          "200": {
            "description": "What there is; empty if nothing is.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["accounts", "purchases"],
                  "properties": {
                    "accounts": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "required": ["environment", "account", "version"],
                        "properties": {
                          "environment": {"$ref": "#/components/schemas/Environment"},
                          "account": {"$ref": "#/components/schemas/Account"},
                          "version": {"type": "integer"}
                        }
                      },
                      "description": "Accounts that have events."
                    },
                    "purchases": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "required": ["environment", "originalTransactionId", "isLocked", "accounts"],
                        "properties": {
                          "environment": {"$ref": "#/components/schemas/Environment"},
                          "originalTransactionId": {"type": "string"},
                          "isLocked": {"type": "boolean"},
                          "accounts": {"type": "array", "items": {"$ref": "#/components/schemas/Account"}}
                        }
                      },
                      "description": "Purchases of that id; without accounts they are unclaimed."
                    }
                  }
                },
                "example": {
                  "accounts": [
                    {
                      "environment": "Sandbox",
                      "account": "a1a1a1a1-0000-4000-8000-00000000000a",
                      "version": 3
                    }
                  ],
                  "purchases": [
                    {
                      "environment": "Sandbox",
                      "originalTransactionId": "2000000000000001",
                      "isLocked": false,
                      "accounts": ["a1a1a1a1-0000-4000-8000-00000000000a"]
                    }
                  ]
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/v1/apps/{bundleId}/audit": {
      "parameters": [{"$ref": "#/components/parameters/bundleId"}],
      "get": {
        "operationId": "listActs",
        "tags": ["Operators"],
        "summary": "What operators did, the newest first",
        "security": [{"token": ["support", "admin"]}],
        "parameters": [
          {
            "name": "account",
            "in": "query",
            "description": "Only acts upon this account.",
            "schema": {"$ref": "#/components/schemas/Account"}
          },
          {
            "name": "before",
            "in": "query",
            "description": "The `next` of the page before.",
            "schema": {
              "type": "string",
              "pattern": "^[0-9]{1,14}-[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
            }
          },
          {"$ref": "#/components/parameters/limit"}
        ],
        "responses": {
          "200": {
            "description": "One page.",
            "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": ["acts", "next"],
                  "properties": {
                    "acts": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "required": [
                          "at", "requestId", "actor", "scope", "act", "environment", "account", "subject",
                          "reason", "outcome"
                        ],
                        "properties": {
                          "at": {"$ref": "#/components/schemas/Milliseconds"},
                          "requestId": {"type": "string"},
                          "actor": {"type": "string", "description": "The subject of the token."},
                          "scope": {
                            "type": "string",
                            "description": "The scope of the token; `command` for the command line."
                          },
                          "act": {
                            "type": "string",
                            "description": "grant, revokeGrant, transfer, free, erase, spend, catalog …"
                          },
                          "environment": {
                            "anyOf": [{"$ref": "#/components/schemas/Environment"}, {"type": "null"}]
                          },
                          "account": {
                            "anyOf": [{"$ref": "#/components/schemas/Account"}, {"type": "null"}],
                            "description": "Null for one that was erased since."
                          },
                          "subject": {"type": "string"},
                          "reason": {"type": "string"},
                          "outcome": {
                            "type": ["string", "null"],
                            "description": "`done`, or the code of the refusal; null while it is not known."
                          }
                        }
                      }
                    },
                    "next": {
                      "type": ["string", "null"],
                      "description": "The `before` of the next call; null at the end."
                    }
                  }
                },
                "example": {
                  "acts": [
                    {
                      "at": 1796104332000,
                      "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90",
                      "actor": "kim",
                      "scope": "support",
                      "act": "grant",
                      "environment": "Sandbox",
                      "account": "a1a1a1a1-0000-4000-8000-00000000000a",
                      "subject": "grant-6f1d",
                      "reason": "sorry for the trouble",
                      "outcome": "done"
                    }
                  ],
                  "next": null
                }
              }
            }
          },
          "400": {"$ref": "#/components/responses/BadParameter"},
          "401": {"$ref": "#/components/responses/Unauthorized"},
          "403": {"$ref": "#/components/responses/Forbidden"},
          "404": {"$ref": "#/components/responses/NotFound"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "503": {"$ref": "#/components/responses/Unavailable"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/admin": {
      "get": {
        "operationId": "getConsole",
        "tags": ["Service"],
        "summary": "The web console",
        "security": [],
        "parameters": [
          {
            "name": "If-None-Match",
            "in": "header",
            "description": "The ETag of the file that the caller has.",
            "schema": {"type": "string"}
          }
        ],
        "responses": {
          "200": {
            "description": "A page without a token in it: the operator signs in there.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "ETag": {"$ref": "#/components/headers/ETag"}
            },
            "content": {"text/html": {"schema": {"type": "string"}}}
          },
          "304": {
            "description": "The file is the one that `If-None-Match` names.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "ETag": {"$ref": "#/components/headers/ETag"}
            }
          },
          "400": {"$ref": "#/components/responses/MalformedRequest"},
          "404": {"$ref": "#/components/responses/UnknownRoute"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    },
    "/admin/{file}": {
      "get": {
        "operationId": "getConsoleFile",
        "tags": ["Service"],
        "summary": "A script, style or picture of the web console",
        "security": [],
        "parameters": [
          {
            "name": "file",
            "in": "path",
            "required": true,
            "description": "Its name.",
            "schema": {"type": "string", "minLength": 1},
            "example": "main.js"
          },
          {
            "name": "If-None-Match",
            "in": "header",
            "description": "The ETag of the file that the caller has.",
            "schema": {"type": "string"}
          }
        ],
        "responses": {
          "200": {
            "description": "The file.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "ETag": {"$ref": "#/components/headers/ETag"}
            },
            "content": {
              "text/javascript": {"schema": {"type": "string"}},
              "text/css": {"schema": {"type": "string"}},
              "image/svg+xml": {"schema": {"type": "string"}}
            }
          },
          "304": {
            "description": "The file is the one that `If-None-Match` names.",
            "headers": {
              "Request-Id": {"$ref": "#/components/headers/Request-Id"},
              "ETag": {"$ref": "#/components/headers/ETag"}
            }
          },
          "400": {"$ref": "#/components/responses/MalformedRequest"},
          "404": {"$ref": "#/components/responses/UnknownRoute"},
          "408": {"$ref": "#/components/responses/RequestTimeout"},
          "413": {"$ref": "#/components/responses/BodyTooLarge"},
          "417": {"$ref": "#/components/responses/ExpectationFailed"},
          "431": {"$ref": "#/components/responses/HeaderTooLarge"},
          "500": {"$ref": "#/components/responses/Failed"},
          "505": {"$ref": "#/components/responses/VersionNotSupported"}
        }
      }
    }
  },
  "components": {
    "securitySchemes": {
      "token": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "EdDSA or ES256 by a key of the service. Claims: `sub`, `app` (a bundle id, or `*` for operators), `scope`, `exp`. The scopes that an operation takes stand beside it."
      }
    },
    "parameters": {
      "bundleId": {
        "name": "bundleId",
        "in": "path",
        "required": true,
        "description": "The app.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255},
        "example": "com.example.app"
      },
      "account": {
        "name": "account",
        "in": "path",
        "required": true,
        "description": "The account.",
        "schema": {
          "type": "string",
          "format": "uuid",
          "not": {"const": "00000000-0000-0000-0000-000000000000"}
        },
        "example": "a1a1a1a1-0000-4000-8000-00000000000a"
      },
      "environment": {
        "name": "environment",
        "in": "query",
        "description": "Whose world is meant.",
        "schema": {"$ref": "#/components/schemas/Environment", "default": "Production"},
        "example": "Sandbox"
      },
      "at": {
        "name": "at",
        "in": "query",
        "description": "The moment asked about; now when left out.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 253402300799999}
      },
      "knownAt": {
        "name": "knownAt",
        "in": "query",
        "description": "Leaves out what was learned later: what the service said then.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 253402300799999}
      },
      "after": {
        "name": "after",
        "in": "query",
        "description": "The number of the last event that the caller has.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 9223372036854775807, "default": 0}
      },
      "limit": {
        "name": "limit",
        "in": "query",
        "description": "Entries at most.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}
      },
      "wait": {
        "name": "wait",
        "in": "query",
        "description": "Seconds to hold the request while there is nothing new.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 240}
      },
      "installation": {
        "name": "Entitlement-Installation",
        "in": "header",
        "description": "The installation of the app that a signed snapshot is for; a newer poll of it ends an older one.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[!-~]+$"}
      },
      "signed": {
        "name": "Entitlement-Signed",
        "in": "header",
        "description": "`1` asks for `signedSnapshot` in the answer.",
        "schema": {"type": "string"},
        "example": "1"
      },
      "reason": {
        "name": "reason",
        "in": "query",
        "description": "Why, for the record of acts.",
        "schema": {"type": "string", "maxLength": 1024, "pattern": "^[^\\x00-\\x1f\\x7f]*$"}
      }
    },
    "headers": {
      "Request-Id": {
        "description": "What the log calls the request.",
        "schema": {"type": "string", "pattern": "^[0-9a-f]{32}$"}
      },
      "traceparent": {
        "description": "The caller's, handed back (W3C Trace Context).",
        "schema": {"type": "string"}
      },
      "Retry-After": {"description": "Seconds to stay away.", "schema": {"type": "integer", "minimum": 0}},
      "Entitlement-Cursor": {
        "description": "The cursor of the view.",
        "schema": {"$ref": "#/components/schemas/Cursor"}
      },
      "Entitlement-Backoff-Ms": {
        "description": "What a client waits at least before its next poll.",
        "schema": {"type": "integer"}
      },
      "ETag": {
        "description": "Weak: names the view apart from the time it was made.",
        "schema": {"type": "string"}
      }
    },
    "responses": {
      "MalformedRequest": {
        "description": "The request is not HTTP as it should be.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["malformedRequest"]}}}
              ]
            },
            "examples": {
              "malformedRequest": {
                "value": {
                  "type": "urn:entitled:problem:malformedRequest",
                  "title": "Malformed request",
                  "status": 400,
                  "code": "malformedRequest",
                  "detail": "The request is not valid HTTP/1.1, or two programs could read it differently. Mend the program that wrote it; the connection is closed.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "BadParameter": {
        "description": "A part of the path, the query or a header has no sense.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["malformedRequest", "invalidParameter"]}}}
              ]
            },
            "examples": {
              "malformedRequest": {
                "value": {
                  "type": "urn:entitled:problem:malformedRequest",
                  "title": "Malformed request",
                  "status": 400,
                  "code": "malformedRequest",
                  "detail": "The request is not valid HTTP/1.1, or two programs could read it differently. Mend the program that wrote it; the connection is closed.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "invalidParameter": {
                "value": {
                  "type": "urn:entitled:problem:invalidParameter",
                  "title": "Invalid parameter",
                  "status": 400,
                  "code": "invalidParameter",
                  "detail": "A part of the path, of the query or a header has no sense. Mend the parameter named in the answer.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "BadBody": {
        "description": "The body, or a parameter, has no sense.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "code": {"enum": ["malformedRequest", "invalidParameter", "invalidJSON", "invalidBody"]}
                  }
                }
              ]
            },
            "examples": {
              "malformedRequest": {
                "value": {
                  "type": "urn:entitled:problem:malformedRequest",
                  "title": "Malformed request",
                  "status": 400,
                  "code": "malformedRequest",
                  "detail": "The request is not valid HTTP/1.1, or two programs could read it differently. Mend the program that wrote it; the connection is closed.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "invalidParameter": {
                "value": {
                  "type": "urn:entitled:problem:invalidParameter",
                  "title": "Invalid parameter",
                  "status": 400,
                  "code": "invalidParameter",
                  "detail": "A part of the path, of the query or a header has no sense. Mend the parameter named in the answer.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "invalidJSON": {
                "value": {
                  "type": "urn:entitled:problem:invalidJSON",
                  "title": "Body is not JSON",
                  "status": 400,
                  "code": "invalidJSON",
                  "detail": "The body is no JSON text in UTF-8, or is nested too deeply. Mend it at the line and column given.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "invalidBody": {
                "value": {
                  "type": "urn:entitled:problem:invalidBody",
                  "title": "Body has the wrong form",
                  "status": 400,
                  "code": "invalidBody",
                  "detail": "A member of the body is missing or has the wrong type. Mend the member named in the answer.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "BadPush": {
        "description": "The body, or a parameter, has no sense.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                  "properties": {
                    "code": {
                      "enum": [
                        "malformedRequest", "invalidParameter", "invalidJSON", "invalidBody", "tooManyItems"
                      ]
                    }
                  }
                }
              ]
            },
            "examples": {
              "malformedRequest": {
                "value": {
                  "type": "urn:entitled:problem:malformedRequest",
                  "title": "Malformed request",
                  "status": 400,
                  "code": "malformedRequest",
                  "detail": "The request is not valid HTTP/1.1, or two programs could read it differently. Mend the program that wrote it; the connection is closed.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "invalidParameter": {
                "value": {
                  "type": "urn:entitled:problem:invalidParameter",
                  "title": "Invalid parameter",
                  "status": 400,
                  "code": "invalidParameter",
                  "detail": "A part of the path, of the query or a header has no sense. Mend the parameter named in the answer.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "invalidJSON": {
                "value": {
                  "type": "urn:entitled:problem:invalidJSON",
                  "title": "Body is not JSON",
                  "status": 400,
                  "code": "invalidJSON",
                  "detail": "The body is no JSON text in UTF-8, or is nested too deeply. Mend it at the line and column given.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "invalidBody": {
                "value": {
                  "type": "urn:entitled:problem:invalidBody",
                  "title": "Body has the wrong form",
                  "status": 400,
                  "code": "invalidBody",
                  "detail": "A member of the body is missing or has the wrong type. Mend the member named in the answer.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "tooManyItems": {
                "value": {
                  "type": "urn:entitled:problem:tooManyItems",
                  "title": "Too many items",
                  "status": 400,
                  "code": "tooManyItems",
                  "detail": "The body holds more signed objects than one request may. Send them in several requests.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "Unauthorized": {
        "description": "No token, or none that is to be believed.",
        "headers": {
          "Request-Id": {"$ref": "#/components/headers/Request-Id"},
          "WWW-Authenticate": {"description": "RFC 6750.", "schema": {"type": "string"}}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["missingToken", "invalidToken", "expiredToken"]}}}
              ]
            },
            "examples": {
              "missingToken": {
                "value": {
                  "type": "urn:entitled:problem:missingToken",
                  "title": "No token",
                  "status": 401,
                  "code": "missingToken",
                  "detail": "The request has no bearer token. Send Authorization: Bearer TOKEN.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "invalidToken": {
                "value": {
                  "type": "urn:entitled:problem:invalidToken",
                  "title": "Invalid token",
                  "status": 401,
                  "code": "invalidToken",
                  "detail": "The token is malformed, signed by an unknown key, or says something impossible. Get a new one; check that its issuer's key is in the service's key file.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "expiredToken": {
                "value": {
                  "type": "urn:entitled:problem:expiredToken",
                  "title": "Token expired",
                  "status": 401,
                  "code": "expiredToken",
                  "detail": "The token's time is over. Get a new one from the app's backend.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "Forbidden": {
        "description": "The token is for something else.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["forbiddenScope", "forbiddenApp"]}}}
              ]
            },
            "examples": {
              "forbiddenScope": {
                "value": {
                  "type": "urn:entitled:problem:forbiddenScope",
                  "title": "Not allowed",
                  "status": 403,
                  "code": "forbiddenScope",
                  "detail": "The token's scope does not include this. Use a token of a scope that the answer names.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "forbiddenApp": {
                "value": {
                  "type": "urn:entitled:problem:forbiddenApp",
                  "title": "Token of another app",
                  "status": 403,
                  "code": "forbiddenApp",
                  "detail": "The token is for another app. Use a token of this app.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "ForbiddenScope": {
        "description": "The token's scope does not include this.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["forbiddenScope"]}}}
              ]
            },
            "examples": {
              "forbiddenScope": {
                "value": {
                  "type": "urn:entitled:problem:forbiddenScope",
                  "title": "Not allowed",
                  "status": 403,
                  "code": "forbiddenScope",
                  "detail": "The token's scope does not include this. Use a token of a scope that the answer names.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "ForbiddenToDevice": {
        "description": "The token is for something else.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["forbiddenScope", "forbiddenApp", "forbiddenAccount"]}}}
              ]
            },
            "examples": {
              "forbiddenScope": {
                "value": {
                  "type": "urn:entitled:problem:forbiddenScope",
                  "title": "Not allowed",
                  "status": 403,
                  "code": "forbiddenScope",
                  "detail": "The token's scope does not include this. Use a token of a scope that the answer names.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "forbiddenApp": {
                "value": {
                  "type": "urn:entitled:problem:forbiddenApp",
                  "title": "Token of another app",
                  "status": 403,
                  "code": "forbiddenApp",
                  "detail": "The token is for another app. Use a token of this app.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "forbiddenAccount": {
                "value": {
                  "type": "urn:entitled:problem:forbiddenAccount",
                  "title": "Token of another account",
                  "status": 403,
                  "code": "forbiddenAccount",
                  "detail": "A device may ask about its own account only. Use a token of the account in the path.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "NotFound": {
        "description": "Nothing is at this path, or the app is not served.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["unknownRoute", "unknownApp"]}}}
              ]
            },
            "examples": {
              "unknownRoute": {
                "value": {
                  "type": "urn:entitled:problem:unknownRoute",
                  "title": "Unknown address",
                  "status": 404,
                  "code": "unknownRoute",
                  "detail": "The service has nothing at this path. Check the path: no part of it may be empty.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "unknownApp": {
                "value": {
                  "type": "urn:entitled:problem:unknownApp",
                  "title": "Unknown app",
                  "status": 404,
                  "code": "unknownApp",
                  "detail": "The service does not serve this bundle id. Add it with `entitled catalog apply` or `entitled app add`.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "GrantNotFound": {
        "description": "There is no such grant, app or path.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["unknownRoute", "unknownApp", "unknownGrant"]}}}
              ]
            },
            "examples": {
              "unknownRoute": {
                "value": {
                  "type": "urn:entitled:problem:unknownRoute",
                  "title": "Unknown address",
                  "status": 404,
                  "code": "unknownRoute",
                  "detail": "The service has nothing at this path. Check the path: no part of it may be empty.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "unknownApp": {
                "value": {
                  "type": "urn:entitled:problem:unknownApp",
                  "title": "Unknown app",
                  "status": 404,
                  "code": "unknownApp",
                  "detail": "The service does not serve this bundle id. Add it with `entitled catalog apply` or `entitled app add`.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "unknownGrant": {
                "value": {
                  "type": "urn:entitled:problem:unknownGrant",
                  "title": "Unknown grant",
                  "status": 404,
                  "code": "unknownGrant",
                  "detail": "There is no grant of this id. See the account's history.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "PurchaseNotFound": {
        "description": "There is no such purchase, app or path.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["unknownRoute", "unknownApp", "unknownLineage"]}}}
              ]
            },
            "examples": {
              "unknownRoute": {
                "value": {
                  "type": "urn:entitled:problem:unknownRoute",
                  "title": "Unknown address",
                  "status": 404,
                  "code": "unknownRoute",
                  "detail": "The service has nothing at this path. Check the path: no part of it may be empty.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "unknownApp": {
                "value": {
                  "type": "urn:entitled:problem:unknownApp",
                  "title": "Unknown app",
                  "status": 404,
                  "code": "unknownApp",
                  "detail": "The service does not serve this bundle id. Add it with `entitled catalog apply` or `entitled app add`.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "unknownLineage": {
                "value": {
                  "type": "urn:entitled:problem:unknownLineage",
                  "title": "Unknown purchase",
                  "status": 404,
                  "code": "unknownLineage",
                  "detail": "No transaction of this original transaction id is known. Push it first, or check the environment.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "UnknownRoute": {
        "description": "Nothing is at this path.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["unknownRoute"]}}}
              ]
            },
            "examples": {
              "unknownRoute": {
                "value": {
                  "type": "urn:entitled:problem:unknownRoute",
                  "title": "Unknown address",
                  "status": 404,
                  "code": "unknownRoute",
                  "detail": "The service has nothing at this path. Check the path: no part of it may be empty.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "MethodNotAllowed": {
        "description": "The path takes other methods. Every path answers so.",
        "headers": {
          "Request-Id": {"$ref": "#/components/headers/Request-Id"},
          "Allow": {"description": "The methods that it takes.", "schema": {"type": "string"}}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["methodNotAllowed"]}}}
              ]
            },
            "examples": {
              "methodNotAllowed": {
                "value": {
                  "type": "urn:entitled:problem:methodNotAllowed",
                  "title": "Method not allowed",
                  "status": 405,
                  "code": "methodNotAllowed",
                  "detail": "The path is right, the method is not. Use one that the header Allow names.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "RequestTimeout": {
        "description": "The request did not arrive in time.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["requestTimeout"]}}}
              ]
            },
            "examples": {
              "requestTimeout": {
                "value": {
                  "type": "urn:entitled:problem:requestTimeout",
                  "title": "Request too slow",
                  "status": 408,
                  "code": "requestTimeout",
                  "detail": "The request did not arrive completely in time. Send it again, in one go.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "BodyTooLarge": {
        "description": "The body is longer than the route takes.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["bodyTooLarge"]}}}
              ]
            },
            "examples": {
              "bodyTooLarge": {
                "value": {
                  "type": "urn:entitled:problem:bodyTooLarge",
                  "title": "Request body too large",
                  "status": 413,
                  "code": "bodyTooLarge",
                  "detail": "The body is longer than this route takes. Send less at a time.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "UnsupportedMediaType": {
        "description": "The body is not declared as JSON.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["unsupportedMediaType"]}}}
              ]
            },
            "examples": {
              "unsupportedMediaType": {
                "value": {
                  "type": "urn:entitled:problem:unsupportedMediaType",
                  "title": "Unsupported media type",
                  "status": 415,
                  "code": "unsupportedMediaType",
                  "detail": "The body is not declared as JSON. Send Content-Type: application/json.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "ExpectationFailed": {
        "description": "`Expect` asks for something other than 100-continue.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["expectationFailed"]}}}
              ]
            },
            "examples": {
              "expectationFailed": {
                "value": {
                  "type": "urn:entitled:problem:expectationFailed",
                  "title": "Expectation not supported",
                  "status": 417,
                  "code": "expectationFailed",
                  "detail": "The header Expect asks for something other than 100-continue. Leave the header out.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "RateLimited": {
        "description": "The account sends more requests than it may.",
        "headers": {
          "Request-Id": {"$ref": "#/components/headers/Request-Id"},
          "Retry-After": {"$ref": "#/components/headers/Retry-After"}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["rateLimited"]}}}
              ]
            },
            "examples": {
              "rateLimited": {
                "value": {
                  "type": "urn:entitled:problem:rateLimited",
                  "title": "Too many requests",
                  "status": 429,
                  "code": "rateLimited",
                  "detail": "This account sends more requests than it may. Wait for the seconds of Retry-After.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "HeaderTooLarge": {
        "description": "Request line and headers are too long.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["headerTooLarge"]}}}
              ]
            },
            "examples": {
              "headerTooLarge": {
                "value": {
                  "type": "urn:entitled:problem:headerTooLarge",
                  "title": "Request header too large",
                  "status": 431,
                  "code": "headerTooLarge",
                  "detail": "The request line and headers are longer than the service takes. Send fewer and shorter headers.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "Failed": {
        "description": "The service made a mistake.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["internalError"]}}}
              ]
            },
            "examples": {
              "internalError": {
                "value": {
                  "type": "urn:entitled:problem:internalError",
                  "title": "Internal error",
                  "status": 500,
                  "code": "internalError",
                  "detail": "The service made a mistake. Report it with the request id; the log has the reason.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "Busy": {
        "description": "There is too much to do.",
        "headers": {
          "Request-Id": {"$ref": "#/components/headers/Request-Id"},
          "Retry-After": {"$ref": "#/components/headers/Retry-After"}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["overloaded"]}}}
              ]
            },
            "examples": {
              "overloaded": {
                "value": {
                  "type": "urn:entitled:problem:overloaded",
                  "title": "Overloaded",
                  "status": 503,
                  "code": "overloaded",
                  "detail": "The service has as much to do as it can take. Wait for the seconds of Retry-After.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "Unavailable": {
        "description": "There is too much to do, or the database is away.",
        "headers": {
          "Request-Id": {"$ref": "#/components/headers/Request-Id"},
          "Retry-After": {"$ref": "#/components/headers/Retry-After"}
        },
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["overloaded", "databaseUnavailable"]}}}
              ]
            },
            "examples": {
              "overloaded": {
                "value": {
                  "type": "urn:entitled:problem:overloaded",
                  "title": "Overloaded",
                  "status": 503,
                  "code": "overloaded",
                  "detail": "The service has as much to do as it can take. Wait for the seconds of Retry-After.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              },
              "databaseUnavailable": {
                "value": {
                  "type": "urn:entitled:problem:databaseUnavailable",
                  "title": "Database away",
                  "status": 503,
                  "code": "databaseUnavailable",
                  "detail": "The database cannot be reached; nothing was acknowledged. Wait for the seconds of Retry-After. Operators: see /readyz and the database's log.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      },
      "VersionNotSupported": {
        "description": "The request is not HTTP/1.0 or 1.1.",
        "headers": {"Request-Id": {"$ref": "#/components/headers/Request-Id"}},
        "content": {
          "application/problem+json": {
            "schema": {
              "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"code": {"enum": ["versionNotSupported"]}}}
              ]
            },
            "examples": {
              "versionNotSupported": {
                "value": {
                  "type": "urn:entitled:problem:versionNotSupported",
                  "title": "HTTP version not supported",
                  "status": 505,
                  "code": "versionNotSupported",
                  "detail": "The request is not HTTP/1.0 or 1.1. Use HTTP/1.1.",
                  "requestId": "5f2b8c1d9e7a40638d1f0a2b4c6e8f90"
                }
              }
            }
          }
        }
      }
    },
    "schemas": {
      "Milliseconds": {
        "type": "integer",
        "format": "int64",
        "description": "Milliseconds since 1970 UTC.",
        "examples": [1796104332000]
      },
      "Account": {
        "type": "string",
        "format": "uuid",
        "description": "An account: a UUID other than zero. Upper and lower case are equal.",
        "examples": ["a1a1a1a1-0000-4000-8000-00000000000a"]
      },
      "Environment": {
        "type": "string",
        "description": "Apple's environments: worlds that never meet. An app takes those it was added with; Xcode and LocalTesting in development only.",
        "enum": ["Production", "Sandbox", "Xcode", "LocalTesting"]
      },
      "SignedData": {"type": "string", "description": "A JWS in compact form, signed by Apple."},
      "Cursor": {
        "type": "string",
        "description": "How new a view is: opaque and signed. It opens nothing.",
        "examples": [
          "AQEAAAAAAAAAAQAAAAEAAAABAAAAAAAAAAEAAAGiMCkjeAAAAaLKp-tBmpzyO_b8LcOwPX7SiYdugQR2_INhxJWW"
        ]
      },
      "Interval": {
        "type": "array",
        "description": "`[start, end]`, half-open. A null end is for ever, a null start before all time.",
        "items": {"anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]},
        "minItems": 2,
        "maxItems": 2
      },
      "ProductType": {
        "type": "string",
        "description": "Apple's spelling: Auto-Renewable Subscription, Non-Consumable, Consumable or Non-Renewing Subscription; what Apple adds is passed on."
      },
      "Entitlement": {
        "type": "object",
        "description": "One entitlement: its fields are those of the best grantor.",
        "required": [
          "id", "isActive", "state", "productId", "productType", "purchaseDate", "originalPurchaseDate",
          "expiresDate", "gracePeriodExpiresDate", "willRenew", "nextProductId", "ownershipType", "offerType",
          "revocationDate", "transactionId", "originalTransactionId", "sources", "activeIntervals",
          "endIsFinal"
        ],
        "properties": {
          "id": {"type": "string"},
          "isActive": {"type": "boolean"},
          "state": {
            "type": "string",
            "enum": ["upcoming", "active", "inGracePeriod", "revoked", "inBillingRetry", "expired"]
          },
          "productId": {
            "type": ["string", "null"],
            "description": "Null for an operator's grant, as are the other product fields."
          },
          "productType": {"anyOf": [{"$ref": "#/components/schemas/ProductType"}, {"type": "null"}]},
          "purchaseDate": {"$ref": "#/components/schemas/Milliseconds"},
          "originalPurchaseDate": {"anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]},
          "expiresDate": {"anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]},
          "gracePeriodExpiresDate": {
            "anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]
          },
          "willRenew": {
            "type": ["boolean", "null"],
            "description": "Null when unknown, or no longer its affair."
          },
          "nextProductId": {"type": ["string", "null"]},
          "ownershipType": {"type": ["string", "null"]},
          "offerType": {"type": ["integer", "null"]},
          "revocationDate": {"anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]},
          "transactionId": {
            "type": "string",
            "description": "The describing transaction, or the id of the grant."
          },
          "originalTransactionId": {"type": ["string", "null"]},
          "sources": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Every grantor, past and coming."
          },
          "activeIntervals": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/Interval"},
            "description": "Access that ends after `asOf`, early renewals included."
          },
          "endIsFinal": {
            "type": "boolean",
            "description": "Whether a refund or an operator set the last end."
          }
        }
      },
      "Snapshot": {
        "type": "object",
        "description": "The whole view of an account at a moment. Never a delta.",
        "required": [
          "bundleId", "environment", "account", "version", "asOf", "nextChangeAt", "entitlements", "balances",
          "needsReconciliation", "offline"
        ],
        "properties": {
          "bundleId": {"type": "string"},
          "environment": {"$ref": "#/components/schemas/Environment"},
          "account": {"$ref": "#/components/schemas/Account"},
          "version": {
            "type": "integer",
            "minimum": 0,
            "description": "How many events the account has in this environment, without gaps."
          },
          "asOf": {"$ref": "#/components/schemas/Milliseconds"},
          "nextChangeAt": {
            "anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}],
            "description": "When anything here changes by time alone."
          },
          "entitlements": {"type": "array", "items": {"$ref": "#/components/schemas/Entitlement"}},
          "balances": {"type": "object", "additionalProperties": {"type": "integer", "format": "int64"}},
          "needsReconciliation": {"type": "boolean", "description": "Whether the App Store should be asked."},
          "offline": {
            "type": "object",
            "required": ["graceMs", "staleAccess"],
            "properties": {
              "graceMs": {
                "type": "integer",
                "description": "How long a client may answer from this without a fetch."
              },
              "staleAccess": {"type": "string", "enum": ["keep", "deny"]}
            }
          }
        },
        "examples": [
          {
            "bundleId": "com.example.app",
            "environment": "Sandbox",
            "account": "a1a1a1a1-0000-4000-8000-00000000000a",
            "version": 1,
            "asOf": 1796104333000,
            "nextChangeAt": 1798696332000,
            "entitlements": [
              {
                "id": "pro",
                "isActive": true,
                "state": "active",
                "productId": "pro.monthly",
                "productType": "Auto-Renewable Subscription",
                "purchaseDate": 1796104332000,
                "originalPurchaseDate": 1796104332000,
                "expiresDate": 1798696332000,
                "gracePeriodExpiresDate": null,
                "willRenew": true,
                "nextProductId": null,
                "ownershipType": "PURCHASED",
                "offerType": null,
                "revocationDate": null,
                "transactionId": "2000000000000001",
                "originalTransactionId": "2000000000000001",
                "sources": ["2000000000000001"],
                "activeIntervals": [[1796104332000, 1798696332000]],
                "endIsFinal": false
              }
            ],
            "balances": {"coins": 120},
            "needsReconciliation": false,
            "offline": {"graceMs": 259200000, "staleAccess": "keep"}
          }
        ]
      },
      "View": {
        "type": "object",
        "description": "A snapshot with its cursor. A view of another time has none.",
        "required": ["snapshot"],
        "properties": {
          "snapshot": {"$ref": "#/components/schemas/Snapshot"},
          "cursor": {"$ref": "#/components/schemas/Cursor"},
          "reset": {
            "type": "boolean",
            "description": "Present and true when the client must forget what it has seen: the log was restored from before."
          }
        }
      },
      "PushResult": {
        "type": "object",
        "description": "What became of one signed object.",
        "required": ["transactionId", "outcome", "finish"],
        "properties": {
          "transactionId": {
            "type": ["string", "null"],
            "description": "Null when the object could not be read."
          },
          "outcome": {
            "type": "string",
            "enum": ["recorded", "duplicate", "unclaimed", "belongsToAnotherAccount", "rejected", "retry"]
          },
          "reason": {"type": "string", "description": "Why it was not taken, or moved nothing: one word."},
          "detail": {"type": "string", "description": "Which check failed, for people."},
          "finish": {
            "type": "boolean",
            "description": "Whether the device may finish the transaction with StoreKit."
          }
        }
      },
      "Pushed": {
        "type": "object",
        "required": ["results", "snapshot", "cursor"],
        "properties": {
          "results": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/PushResult"},
            "description": "One a signed transaction, in order."
          },
          "renewalResults": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/PushResult"},
            "description": "One a signed renewal info, when any was sent."
          },
          "snapshot": {"$ref": "#/components/schemas/Snapshot"},
          "cursor": {"$ref": "#/components/schemas/Cursor"},
          "signedSnapshot": {
            "type": "string",
            "description": "The snapshot as a JWS of the service, when `Entitlement-Signed: 1` was sent."
          }
        }
      },
      "Done": {
        "type": "object",
        "description": "A command was carried out: the view of its account afterwards.",
        "required": ["outcome", "snapshot", "cursor"],
        "properties": {
          "outcome": {"type": "string", "enum": ["recorded", "duplicate"]},
          "id": {"type": "string", "description": "A grant's id."},
          "snapshot": {"$ref": "#/components/schemas/Snapshot"},
          "cursor": {"$ref": "#/components/schemas/Cursor"},
          "signedSnapshot": {
            "type": "string",
            "description": "The snapshot as a JWS of the service, when `Entitlement-Signed: 1` was sent."
          }
        }
      },
      "Outcome": {
        "type": "object",
        "required": ["outcome"],
        "properties": {"outcome": {"type": "string", "enum": ["recorded", "duplicate", "unclaimed"]}}
      },
      "LedgerLine": {
        "type": "object",
        "description": "One line of a ledger.",
        "required": ["currency", "change", "balance", "cause", "recordedAt"],
        "properties": {
          "currency": {"type": "string"},
          "change": {"type": "integer"},
          "balance": {"type": "integer"},
          "cause": {"type": "string", "enum": ["credit", "refund", "reversal", "spend"]},
          "transactionId": {"type": "string"},
          "shortfall": {"type": "integer", "description": "What a refund could not take back."},
          "fault": {
            "type": "string",
            "enum": ["invalidQuantity", "overflow"],
            "description": "Why it counts for nothing."
          },
          "idempotencyKey": {"type": "string"},
          "recordedAt": {"$ref": "#/components/schemas/Milliseconds"}
        }
      },
      "HistoryEntry": {
        "type": "object",
        "description": "One event. Members that say nothing are left out.",
        "required": ["version", "type", "effectiveAt", "recordedAt", "learnedAt", "source"],
        "properties": {
          "version": {
            "type": "integer",
            "minimum": 1,
            "description": "The event's number; the snapshot's version after it."
          },
          "type": {
            "type": "string",
            "enum": [
              "initial_purchase", "one_time_purchase", "renewed", "resubscribed", "billing_recovered",
              "auto_renew_disabled", "auto_renew_enabled", "product_change_scheduled",
              "product_change_withdrawn", "product_changed", "billing_issue", "grace_started", "grace_ended",
              "expired", "refunded", "refund_reversed", "refund_requested", "refund_declined",
              "family_revoked", "price_increase_pending", "price_increase_accepted", "price_changed",
              "extended", "extension_failed", "extension_summary", "offer_redeemed", "seats_changed",
              "metadata_updated", "migrated", "consent_rescinded", "external_purchase", "test", "updated",
              "outdated", "claimed", "transferred", "granted", "grant_revoked", "balance_changed", "locked",
              "freed", "erased", "unknown"
            ]
          },
          "effectiveAt": {"$ref": "#/components/schemas/Milliseconds", "description": "When it happened."},
          "recordedAt": {
            "$ref": "#/components/schemas/Milliseconds",
            "description": "When this account got it."
          },
          "learnedAt": {
            "$ref": "#/components/schemas/Milliseconds",
            "description": "When the service first heard of it."
          },
          "source": {
            "type": "string",
            "enum": ["push", "restore", "notification", "serverAPI", "imported", "account", "operator"]
          },
          "transactionId": {"type": "string"},
          "originalTransactionId": {"type": "string"},
          "productId": {"type": "string"},
          "reason": {"type": "string"},
          "notificationType": {"type": "string", "description": "Apple's, as written."},
          "subtype": {"type": "string"},
          "notificationUUID": {"type": "string"},
          "grantId": {"type": "string"},
          "entitlement": {"type": "string"},
          "transferredFrom": {
            "$ref": "#/components/schemas/Account",
            "description": "Never shown to devices."
          },
          "transferredTo": {"$ref": "#/components/schemas/Account", "description": "Never shown to devices."},
          "isOutdated": {
            "type": "boolean",
            "description": "True when it brought something older than what was known."
          },
          "balanceChanges": {"type": "array", "items": {"$ref": "#/components/schemas/LedgerLine"}}
        },
        "examples": [
          {
            "version": 1,
            "type": "initial_purchase",
            "effectiveAt": 1796104332000,
            "recordedAt": 1796104332055,
            "learnedAt": 1796104332055,
            "source": "push",
            "transactionId": "2000000000000001",
            "originalTransactionId": "2000000000000001",
            "productId": "pro.monthly"
          }
        ]
      },
      "Candidate": {
        "type": "object",
        "description": "Something that grants an entitlement, did, or would.",
        "required": [
          "id", "kind", "originalTransactionId", "productId", "productType", "ownershipType", "purchaseDate",
          "standing", "nothingBecause", "nothingPhrase", "intervals", "beginsBy", "toldBy", "ends",
          "takenBack"
        ],
        "properties": {
          "id": {"type": "string"},
          "kind": {"type": "string", "enum": ["transaction", "grant"]},
          "originalTransactionId": {"type": ["string", "null"]},
          "productId": {"type": ["string", "null"]},
          "productType": {"anyOf": [{"$ref": "#/components/schemas/ProductType"}, {"type": "null"}]},
          "ownershipType": {"type": ["string", "null"]},
          "purchaseDate": {"anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]},
          "standing": {"type": "string", "enum": ["active", "inGracePeriod", "upcoming", "over", "nothing"]},
          "nothingBecause": {
            "type": ["string", "null"],
            "enum": [
              "unknownType", "unknownOwnership", "productNotInCatalog", "noReadableEnd", "noPurchaseDate",
              "noDuration", "revokedFromItsStart", "endsBeforeItStarts", "replacedFromItsStart", "consumable",
              "belongsToAnotherAccount", "grantNeverBegan", null
            ]
          },
          "nothingPhrase": {"type": ["string", "null"], "description": "The same for people."},
          "intervals": {"type": "array", "items": {"$ref": "#/components/schemas/Interval"}},
          "beginsBy": {
            "type": ["string", "null"],
            "enum": ["purchase", "stacked", "movedHere", "grant", null]
          },
          "toldBy": {"anyOf": [{"$ref": "#/components/schemas/HistoryEntry"}, {"type": "null"}]},
          "ends": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["at", "cause", "phrase", "rule", "by", "byProductId", "isDecisive", "toldBy"],
              "properties": {
                "at": {"$ref": "#/components/schemas/Milliseconds"},
                "cause": {"$ref": "#/components/schemas/EndCause"},
                "phrase": {"type": "string", "description": "The same for people."},
                "rule": {"type": "string", "description": "A rule of docs/concepts.md, like R2."},
                "by": {"type": ["string", "null"]},
                "byProductId": {"type": ["string", "null"]},
                "isDecisive": {"type": "boolean"},
                "toldBy": {"anyOf": [{"$ref": "#/components/schemas/HistoryEntry"}, {"type": "null"}]}
              }
            }
          },
          "takenBack": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["cause", "at", "toldBy", "takenBackBy"],
              "properties": {
                "cause": {"$ref": "#/components/schemas/EndCause"},
                "at": {"$ref": "#/components/schemas/Milliseconds"},
                "toldBy": {"anyOf": [{"$ref": "#/components/schemas/HistoryEntry"}, {"type": "null"}]},
                "takenBackBy": {"anyOf": [{"$ref": "#/components/schemas/HistoryEntry"}, {"type": "null"}]}
              }
            }
          }
        }
      },
      "EndCause": {
        "type": "string",
        "enum": [
          "expiry", "refund", "familyRevoked", "nextPeriod", "upgraded", "duration", "grantEnd",
          "grantRevoked", "grace", "graceNotHonoured", "movedAway"
        ]
      },
      "EntitlementReasons": {
        "type": "object",
        "required": [
          "id", "headline", "isActive", "state", "intervals", "describedBy", "describesBecause", "runnerUp",
          "describesPhrase", "candidates", "next", "possible"
        ],
        "properties": {
          "id": {"type": "string"},
          "headline": {"type": "string", "description": "The answer in one sentence, in English."},
          "isActive": {"type": "boolean"},
          "state": {"type": ["string", "null"]},
          "intervals": {"type": "array", "items": {"$ref": "#/components/schemas/Interval"}},
          "describedBy": {"type": ["string", "null"]},
          "describesBecause": {"type": ["string", "null"]},
          "runnerUp": {"type": ["string", "null"]},
          "describesPhrase": {"type": ["string", "null"]},
          "candidates": {"type": "array", "items": {"$ref": "#/components/schemas/Candidate"}},
          "next": {
            "anyOf": [
              {
                "type": "object",
                "required": ["at", "isActiveBefore", "isActiveAfter", "stateAfter", "describedByAfter"],
                "properties": {
                  "at": {"$ref": "#/components/schemas/Milliseconds"},
                  "isActiveBefore": {"type": "boolean"},
                  "isActiveAfter": {"type": "boolean"},
                  "stateAfter": {"type": "string"},
                  "describedByAfter": {"type": "string"}
                }
              },
              {"type": "null"}
            ]
          },
          "possible": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["kind", "subject", "effect"],
              "properties": {
                "kind": {
                  "type": "string",
                  "enum": [
                    "renewal", "recovery", "refund", "refundReversal", "restore", "grantRevocation",
                    "successor", "catalogChange"
                  ]
                },
                "subject": {"type": "string"},
                "effect": {"type": "string"}
              }
            }
          }
        }
      },
      "LineageReasons": {
        "type": "object",
        "required": ["originalTransactionId", "owners", "renewal", "outdated", "withoutSuccessor", "unknown"],
        "properties": {
          "originalTransactionId": {"type": "string"},
          "owners": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["from", "account", "cause", "toldBy"],
              "properties": {
                "from": {"anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]},
                "account": {"anyOf": [{"$ref": "#/components/schemas/Account"}, {"type": "null"}]},
                "cause": {"$ref": "#/components/schemas/OwnerCause"},
                "toldBy": {"anyOf": [{"$ref": "#/components/schemas/HistoryEntry"}, {"type": "null"}]}
              }
            }
          },
          "renewal": {
            "anyOf": [
              {
                "type": "object",
                "required": [
                  "autoRenewStatus", "autoRenewProductId", "isInBillingRetryPeriod", "gracePeriodExpiresDate",
                  "watchedUntil", "toldBy"
                ],
                "properties": {
                  "autoRenewStatus": {"type": ["integer", "null"]},
                  "autoRenewProductId": {"type": ["string", "null"]},
                  "isInBillingRetryPeriod": {"type": ["boolean", "null"]},
                  "gracePeriodExpiresDate": {
                    "anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]
                  },
                  "watchedUntil": {"anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]},
                  "toldBy": {"anyOf": [{"$ref": "#/components/schemas/HistoryEntry"}, {"type": "null"}]}
                }
              },
              {"type": "null"}
            ]
          },
          "outdated": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["object", "signedDate", "newerSignedDate", "toldBy"],
              "properties": {
                "object": {"type": "string", "enum": ["transaction", "renewalInfo"]},
                "signedDate": {"anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]},
                "newerSignedDate": {
                  "anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]
                },
                "toldBy": {"anyOf": [{"$ref": "#/components/schemas/HistoryEntry"}, {"type": "null"}]}
              }
            }
          },
          "withoutSuccessor": {"type": "array", "items": {"type": "string"}},
          "unknown": {"type": "array", "items": {"$ref": "#/components/schemas/HistoryEntry"}}
        }
      },
      "OwnerCause": {"type": "string", "enum": ["token", "claim", "restore", "operator", "locked"]},
      "Explanation": {
        "type": "object",
        "description": "Why an account has what it has (docs/explain.md).",
        "required": ["snapshot", "knownAt", "erasedAt", "entitlements", "others", "lineages", "balances"],
        "properties": {
          "snapshot": {"$ref": "#/components/schemas/Snapshot"},
          "knownAt": {"anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]},
          "erasedAt": {"anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]},
          "entitlements": {"type": "array", "items": {"$ref": "#/components/schemas/EntitlementReasons"}},
          "others": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/Candidate"},
            "description": "Transactions that grant no entitlement, and why."
          },
          "lineages": {"type": "array", "items": {"$ref": "#/components/schemas/LineageReasons"}},
          "balances": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["currency", "amount", "shortfall", "lines"],
              "properties": {
                "currency": {"type": "string"},
                "amount": {"type": "integer"},
                "shortfall": {"type": "integer"},
                "lines": {"type": "array", "items": {"$ref": "#/components/schemas/LedgerLine"}}
              }
            }
          }
        }
      },
      "Export": {
        "type": "object",
        "description": "All that is stored about an account.",
        "required": ["bundleId", "account", "exportedAt", "knownSince", "environments"],
        "properties": {
          "bundleId": {"type": "string"},
          "account": {"$ref": "#/components/schemas/Account"},
          "exportedAt": {"$ref": "#/components/schemas/Milliseconds"},
          "knownSince": {"anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]},
          "environments": {
            "type": "array",
            "items": {
              "type": "object",
              "required": [
                "environment", "snapshot", "events", "next", "signedAgain", "bindings", "grants", "ledger"
              ],
              "properties": {
                "environment": {"$ref": "#/components/schemas/Environment"},
                "snapshot": {"$ref": "#/components/schemas/Snapshot"},
                "events": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["entry", "signed", "verdict"],
                    "properties": {
                      "entry": {"$ref": "#/components/schemas/HistoryEntry"},
                      "signed": {
                        "type": ["string", "null"],
                        "description": "Byte for byte as Apple signed it."
                      },
                      "verdict": {"type": ["object", "null"], "description": "What was checked when it came."}
                    }
                  }
                },
                "next": {"type": ["integer", "null"]},
                "signedAgain": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["recordedAt"],
                    "properties": {
                      "transactionId": {"type": "string"},
                      "originalTransactionId": {"type": "string"},
                      "signedDate": {
                        "anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]
                      },
                      "recordedAt": {"$ref": "#/components/schemas/Milliseconds"}
                    }
                  }
                },
                "bindings": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["originalTransactionId", "owners"],
                    "properties": {
                      "originalTransactionId": {"type": "string"},
                      "owners": {
                        "type": "array",
                        "items": {
                          "type": "object",
                          "required": ["from", "account", "cause"],
                          "properties": {
                            "from": {
                              "anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]
                            },
                            "account": {"anyOf": [{"$ref": "#/components/schemas/Account"}, {"type": "null"}]},
                            "cause": {"$ref": "#/components/schemas/OwnerCause"}
                          }
                        }
                      }
                    }
                  }
                },
                "grants": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["id", "entitlement", "from", "until", "reason", "grantedAt", "revokedAt"],
                    "properties": {
                      "id": {"type": "string"},
                      "entitlement": {"type": "string"},
                      "from": {"$ref": "#/components/schemas/Milliseconds"},
                      "until": {"anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]},
                      "reason": {"type": ["string", "null"]},
                      "grantedAt": {"$ref": "#/components/schemas/Milliseconds"},
                      "revokedAt": {
                        "anyOf": [{"$ref": "#/components/schemas/Milliseconds"}, {"type": "null"}]
                      }
                    }
                  }
                },
                "ledger": {"type": "array", "items": {"$ref": "#/components/schemas/LedgerLine"}}
              }
            }
          }
        }
      },
      "Product": {
        "type": "object",
        "required": ["type"],
        "properties": {
          "type": {
            "type": "string",
            "enum": [
              "Auto-Renewable Subscription", "Non-Consumable", "Consumable", "Non-Renewing Subscription"
            ]
          },
          "subscriptionGroup": {"type": "string", "minLength": 1, "maxLength": 255},
          "level": {"type": "integer", "minimum": 0, "maximum": 1000000},
          "entitlements": {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": 255},
            "maxItems": 100,
            "uniqueItems": true,
            "description": "What it unlocks; a consumable unlocks nothing."
          },
          "credits": {
            "type": "object",
            "description": "Of a consumable.",
            "required": ["currency", "amount"],
            "properties": {
              "currency": {"type": "string", "minLength": 1, "maxLength": 255},
              "amount": {"type": "integer", "minimum": 1, "maximum": 1000000000000}
            }
          },
          "duration": {
            "type": "string",
            "description": "Of a non-renewing subscription: an ISO 8601 duration, like P30D."
          },
          "stacking": {"type": "string", "enum": ["parallel", "extend"]}
        }
      },
      "Catalog": {
        "type": "object",
        "description": "Which product unlocks what, and what the app decides.",
        "required": ["bundleId", "products"],
        "properties": {
          "bundleId": {"type": "string"},
          "appAppleId": {"type": ["integer", "null"], "minimum": 1},
          "products": {
            "type": "object",
            "additionalProperties": {"$ref": "#/components/schemas/Product"},
            "maxProperties": 10000
          },
          "policies": {
            "type": ["object", "null"],
            "properties": {
              "honorGracePeriod": {"type": "boolean"},
              "refundDebt": {"type": "string", "enum": ["floor", "negative"]},
              "transfer": {"type": "string", "enum": ["onRestore", "ifInactive", "never"]},
              "transferLimit": {"type": "integer", "minimum": 0, "maximum": 1000},
              "offlineGrace": {
                "type": "string",
                "description": "An ISO 8601 duration of days or hours, like P3D."
              },
              "staleAccess": {"type": "string", "enum": ["keep", "deny"]}
            }
          }
        }
      },
      "CatalogChange": {
        "type": "object",
        "description": "One difference; null stands for nothing.",
        "required": ["place", "old", "new"],
        "properties": {
          "place": {"type": "string", "description": "Like `products.pro.monthly.level`."},
          "old": {},
          "new": {}
        }
      },
      "KeySet": {
        "type": "object",
        "description": "Public keys (RFC 7517) that sign tokens and snapshots.",
        "required": ["keys"],
        "properties": {
          "keys": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["kty", "crv", "alg", "kid", "x"],
              "properties": {
                "kty": {"type": "string"},
                "crv": {"type": "string"},
                "use": {"type": "string"},
                "alg": {"type": "string"},
                "kid": {"type": "string"},
                "x": {"type": "string"},
                "y": {"type": "string"}
              }
            }
          }
        }
      },
      "Problem": {
        "type": "object",
        "description": "A refusal (RFC 9457).",
        "required": ["type", "title", "status", "code", "detail"],
        "properties": {
          "type": {
            "type": "string",
            "format": "uri",
            "description": "`urn:entitled:problem:` and the code; `about:blank` when the request as such was refused."
          },
          "title": {"type": "string"},
          "status": {"type": "integer", "minimum": 400, "maximum": 599},
          "code": {
            "type": "string",
            "enum": [
              "alreadyOwner", "appNotConfigured", "bodyTooLarge", "consumableLineage", "databaseUnavailable",
              "draining", "environmentNotServed", "expectationFailed", "expiredToken", "forbiddenAccount",
              "forbiddenApp", "forbiddenScope", "grantExists", "headerTooLarge", "idempotencyConflict",
              "insufficientBalance", "internalError", "invalidAmount", "invalidBody", "invalidCatalog",
              "invalidJSON", "invalidParameter", "invalidToken", "lineageLocked", "malformedRequest",
              "methodNotAllowed", "missingToken", "notLocked", "notReady", "otherApp", "overloaded",
              "rateLimited", "rejectedSignedData", "requestTimeout", "tooManyItems", "unknownApp",
              "unknownGrant", "unknownLineage", "unknownRoute", "unsupportedMediaType", "versionNotSupported"
            ],
            "description": "Stable; docs/problems.md explains each."
          },
          "detail": {"type": "string", "description": "What is wrong, and what to do."},
          "requestId": {
            "type": "string",
            "description": "What the log calls the request. Absent when the request as such was refused."
          }
        }
      },
      "Push": {
        "type": "object",
        "properties": {
          "signedTransactions": {
            "type": ["array", "null"],
            "items": {"$ref": "#/components/schemas/SignedData"},
            "maxItems": 100
          },
          "signedRenewalInfos": {
            "type": ["array", "null"],
            "items": {"$ref": "#/components/schemas/SignedData"},
            "maxItems": 100
          }
        },
        "description": "What StoreKit gave the device, up to 100 of each."
      },
      "NotificationOutcome": {
        "type": "object",
        "required": ["outcome"],
        "properties": {
          "outcome": {
            "type": "string",
            "enum": ["recorded", "duplicate", "unclaimed", "belongsToAnotherAccount"]
          }
        }
      },
      "Status": {
        "type": "object",
        "required": ["status"],
        "properties": {"status": {"type": "string", "enum": ["alive", "ready"]}}
      }
    }
  }
}
"""##),
        ("account.js", ##"""
// One account: what it has, why, what happened, and what may be done.

import { accountPath, app, serves } from './api.js';
import { explanation } from './explanation.js';
import { OWNS, short, span, state, time, told } from './format.js';
import { h, say, table } from './dom.js';
import { doings } from './doings.js';
import { session } from './session.js';
import { timeline } from './timeline.js';
import { travel } from './travel.js';

const PAGE = 200;

function title(account, snapshot) {
  const copy = async () => {
    await navigator.clipboard?.writeText(account);
    say('The account id is copied.');
  };
  return h('div', { class: 'title' },
    h('h1', {}, h('span', { class: 'quiet' }, 'Account '), h('span', { class: 'id' }, account)),
    h('button', { type: 'button', class: 'flat', onclick: copy }, 'Copy'),
    h('span', { class: 'quiet' }, `${snapshot.environment} · version ${snapshot.version}`));
}

function entitlement(reasons) {
  const [word, tone] = state(reasons.state);
  return h('li', {}, h('span', { class: `pill ${tone}` }, reasons.isActive && word === 'active' ? 'active' : word),
    h('span', {}, reasons.headline));
}

function summary(content) {
  const { snapshot } = content;
  const balances = Object.entries(snapshot.balances);
  return h('section', { class: 'card', 'aria-label': 'What the account has' },
    content.entitlements.length
      ? h('ul', { class: 'answers' }, content.entitlements.map(entitlement))
      : h('p', {}, snapshot.version ? 'Nothing of this account ever granted anything.' : `This account has no events in ${snapshot.environment}.`),
    balances.length > 0 && h('p', {}, balances.map(([name, amount]) => h('span', { class: 'balance' }, h('b', {}, amount), ` ${name}`))),
    content.erasedAt !== null && h('p', { class: 'quiet' }, `Erased ${time(content.erasedAt)}; what was before is gone.`),
    snapshot.needsReconciliation && h('p', { class: 'quiet' }, 'Something is not known: the App Store should be asked.'),
    snapshot.nextChangeAt !== null && h('p', { class: 'quiet' }, `Changes by itself next: ${time(snapshot.nextChangeAt)} UTC.`));
}

function what(entry) {
  const parts = [entry.type.replaceAll('_', ' ')];
  if (entry.entitlement) parts.push(entry.entitlement);
  if (entry.transferredFrom) parts.push(`from ${short(entry.transferredFrom)}`);
  if (entry.transferredTo) parts.push(`to ${short(entry.transferredTo)}`);
  for (const line of entry.balanceChanges ?? []) parts.push(`${line.change > 0 ? '+' : ''}${line.change} ${line.currency} = ${line.balance}`);
  return parts.join(' · ');
}

function history(entries, next, look, more) {
  const row = (entry) => [
    entry.version, time(entry.effectiveAt),
    entry.learnedAt - entry.effectiveAt < 1000 ? 'at once' : `+${span(entry.learnedAt - entry.effectiveAt)}`,
    [what(entry), entry.isOutdated && h('span', { class: 'quiet' }, ' (outdated: changed nothing)')],
    [entry.productId, h('div', { class: 'id quiet' }, entry.transactionId ?? entry.grantId ?? '')],
    [entry.notificationType ?? entry.source, entry.reason && h('div', { class: 'quiet' }, entry.reason)],
    h('button', { type: 'button', class: 'flat', title: 'What was known and answered just before it', onclick: () => look(entry.recordedAt - 1) }, 'before'),
    h('button', { type: 'button', class: 'flat', title: 'What was known and answered just after it', onclick: () => look(entry.recordedAt) }, 'after'),
  ];
  return h('section', { class: 'card' }, h('h2', {}, 'History'),
    h('p', { class: 'quiet' }, 'In the order it was learned. “before” and “after” show what the service said at that moment.'),
    table('History', ['#', 'happened (UTC)', 'learned', 'what', 'product', 'how we know', '', ''], [...entries].reverse().map(row)),
    next !== null && h('button', { type: 'button', onclick: more }, 'Show later events'));
}

function ownership(lineages) {
  if (!lineages.length) return null;
  return h('section', { class: 'card' }, h('h2', {}, 'Whose it is'),
    table('Whose each purchase is', ['purchase', 'from', 'account', 'how', 'told by'], lineages.flatMap((lineage) => lineage.owners.map((owner) => [
      h('span', { class: 'id' }, lineage.originalTransactionId), owner.from === null ? 'the beginning' : time(owner.from),
      owner.account === null ? 'nobody' : h('a', { class: 'id', href: `#/account/${owner.account}?environment=${session.environment}` }, owner.account),
      OWNS[owner.cause] ?? owner.cause, told(owner.toldBy)]))));
}

function ledger(balances) {
  if (!balances.length) return null;
  return h('section', { class: 'card' }, h('h2', {}, 'Balances'), balances.map((balance) => [
    h('h3', {}, `${balance.amount} ${balance.currency}`, balance.shortfall > 0 && ` (${balance.shortfall} short)`),
    table(`Ledger of ${balance.currency}`, ['when (UTC)', 'change', 'balance', 'cause', 'of'], balance.lines.map((line) => [
      time(line.recordedAt), line.change, line.balance, line.cause, h('span', { class: 'id' }, line.transactionId ?? line.idempotencyKey ?? '')]))]));
}

/** The page of an account; `at` and `knownAt` in the address make it a page about the past that can be sent to somebody. */
export async function account(id, query, onLeave) {
  const { environment } = session;
  const read = (point) => app('GET', accountPath(id, '/explain'), { environment, at: point.at, knownAt: point.knownAt });
  const point = { at: query.at, knownAt: query.knownAt };
  let [content, past] = await Promise.all([read(point), app('GET', accountPath(id, '/history'), { environment, limit: PAGE })]);
  const canReconcile = await serves('post', '/reconcile');
  const entries = past.history;
  let { next } = past;

  const place = h('div', { class: 'stack' });
  // Each is filled anew when the moment changes; the sliders stay where they are, and keep the focus.
  const [head, answer] = [h('div'), h('div')];
  const rest = h('div', { class: 'stack' });
  const draw = () => timeline(content, Math.max(300, Math.floor(place.clientWidth || 900) - 34), Date.now());
  const picture = h('section', { class: 'card', 'aria-label': 'Timeline' });
  const redraw = () => picture.replaceChildren(content.entitlements.length ? draw() : h('p', { class: 'quiet' }, 'There is nothing to draw.'));
  const watcher = new ResizeObserver(redraw);
  onLeave(() => watcher.disconnect());

  let turn = 0;
  const move = async (to) => {
    const mine = ++turn;
    const words = new URLSearchParams({ environment, ...Object.fromEntries(Object.entries(to).filter(([, value]) => value !== undefined)) });
    // The address tells the moment, so that the page can be sent to somebody.
    window.history.replaceState(null, '', `#/account/${id}?${words}`);
    const then = await read(to);
    if (mine !== turn) return;
    content = then;
    show();
  };
  const { element: sliders, set } = travel(entries, content, point, move);
  const look = (moment) => { set({ at: moment, knownAt: moment }); scrollTo({ top: 0 }); sliders.querySelector('input').focus(); };
  const more = async () => {
    const page = await app('GET', accountPath(id, '/history'), { environment, after: next, limit: PAGE });
    entries.push(...page.history);
    next = page.next;
    show();
  };
  const show = () => {
    redraw();
    head.replaceChildren(title(id, content.snapshot));
    answer.replaceChildren(summary(content));
    rest.replaceChildren(...[
      doings(id, content, canReconcile, reload),
      explanation(content), history(entries, next, look, more), ownership(content.lineages), ledger(content.balances)].flat().filter(Boolean));
  };
  const reload = async () => {
    const page = await app('GET', accountPath(id, '/history'), { environment, after: entries.at(-1)?.version ?? 0, limit: PAGE });
    entries.push(...page.history);
    set({});
  };
  place.append(head, sliders, answer, picture, rest);
  show();
  watcher.observe(place);
  return place;
}
"""##),
        ("acts.js", ##"""
// What operators did: who, when, what, why.

import { app } from './api.js';
import { h, table } from './dom.js';
import { short, time } from './format.js';

/** The page of acts, of all accounts or of one. */
export async function acts(account, { before }) {
  const page = await app('GET', '/audit', { account, before, limit: 100 });
  const row = (act) => [
    time(act.at), [act.actor, h('div', { class: 'quiet' }, act.scope)],
    [act.act, h('div', { class: 'id quiet' }, act.subject)],
    act.account ? h('a', { class: 'id', href: `#/account/${act.account}${act.environment ? `?environment=${act.environment}` : ''}` }, account ? short(act.account) : act.account) : '–',
    act.reason || '–',
    act.outcome === 'done' ? 'done' : act.outcome === null ? 'not known' : h('span', { class: 'pill warn' }, act.outcome)];
  return [
    h('h1', {}, 'Acts of operators'),
    account && h('p', {}, 'Upon ', h('a', { class: 'id', href: `#/account/${account}` }, account), '. ', h('a', { href: '#/acts' }, 'Show all')),
    h('section', { class: 'card' },
      page.acts.length
        ? table('Acts', ['when (UTC)', 'who', 'what', 'account', 'why', 'outcome'], page.acts.map(row))
        : h('p', {}, 'Nothing was done.'),
      page.next && h('a', { href: `#/acts${account && `/${account}`}?before=${page.next}` }, 'Earlier'))];
}
"""##),
        ("api.js", ##"""
// Asks the service. A refusal is thrown with its code, so that a page can say what to do.

import { session, signOut } from './session.js';

/** What the service answered instead (RFC 9457). */
export class Refusal extends Error {
  constructor(problem, status) {
    super(problem.detail ?? problem.title ?? `The service answered ${status}.`);
    this.code = problem.code ?? `status ${status}`;
    this.title = problem.title ?? 'No answer';
    this.requestId = problem.requestId;
    this.status = status;
  }
}

async function ask(method, path, query, body) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, value);
  }
  const headers = { Authorization: `Bearer ${session.token}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let response;
  try {
    response = await fetch(url, {
      method, headers, body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      cache: 'no-store', credentials: 'omit', redirect: 'error',
    });
  } catch {
    throw new Refusal({ title: 'Not reached', code: 'notReached', detail: 'The service was not reached. Try again.' }, 0);
  }
  const isJSON = /json/.test(response.headers.get('Content-Type') ?? '');
  const content = isJSON ? await response.json() : await response.text();
  if (response.ok) return content;
  if (response.status === 401 && session.token) signOut('Your token is no longer accepted. Sign in with a new one.');
  throw new Refusal(isJSON ? content : {}, response.status);
}

/** Reads from a path of the service. */
export const get = (path, query) => ask('GET', path, query);

/** Asks or changes something of the app that is looked at. */
export function app(method, path, query, body) {
  return ask(method, `/v1/apps/${encodeURIComponent(session.app)}${path}`, query, body);
}

/** The path of an account. */
export const accountPath = (account, rest = '') => `/accounts/${encodeURIComponent(account)}${rest}`;

let description;
/** Whether this release serves a method at a path below the app's, as in api.md: parts of the console wait for theirs. */
export async function serves(method, path) {
  description ??= get('/openapi.json').catch((error) => { description = undefined; throw error; });
  return Boolean((await description).paths[`/v1/apps/{bundleId}${path}`]?.[method]);
}
"""##),
        ("catalog.js", ##"""
// The catalog in force, what it was before, and a change of it: compared first, then put into force.

import { app } from './api.js';
import { dialog } from './dialog.js';
import { h, say, table } from './dom.js';
import { time } from './format.js';
import { isAdmin, session } from './session.js';

const text = (value) => (value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value));

function diff(changes) {
  if (!changes.length) return h('p', {}, 'Nothing differs.');
  return h('ul', { class: 'diff' }, changes.map(({ place, old, new: now }) => {
    const [sign, kind, word] = old === null ? ['+', 'added', 'added'] : now === null ? ['−', 'gone', 'removed'] : ['~', 'changed', 'changed'];
    return h('li', { class: kind },
      h('b', { 'aria-label': word }, sign), ' ', h('span', { class: 'id' }, place), ' ',
      old !== null && h('del', {}, text(old)), old !== null && now !== null && ' → ', now !== null && h('ins', {}, text(now)));
  }));
}

function products({ products: all }) {
  const row = ([id, product]) => [
    h('span', { class: 'id' }, id), product.type,
    product.credits ? `${product.credits.amount} ${product.credits.currency}` : (product.entitlements ?? []).join(', '),
    product.subscriptionGroup ? `${product.subscriptionGroup}, level ${product.level ?? 0}` : product.duration ?? ''];
  return table('Products', ['product', 'type', 'unlocks or credits', 'group or duration'], Object.entries(all).map(row));
}

function editor(current) {
  const area = h('textarea', { rows: 16, spellcheck: 'false', 'aria-label': 'Catalog as JSON', value: JSON.stringify(current, null, 2) });
  const result = h('div', { 'aria-live': 'polite' });
  const compare = async () => {
    result.replaceChildren();
    try {
      JSON.parse(area.value);
      const answer = await app('PUT', '/catalog', { dryRun: true }, area.value);
      result.append(h('h3', {}, 'What would change'), diff(answer.changes));
      if (answer.outcome !== 'duplicate') result.append(h('button', { type: 'button', class: 'primary', onclick: () => apply(area.value) }, 'Put into force…'));
    } catch (error) {
      result.append(h('p', { class: 'wrong', role: 'alert' }, error.message));
    }
  };
  const apply = (body) => dialog({
    title: 'Put the catalog into force', text: 'Every account’s answer follows it from now on; held polls are answered.', button: 'Put into force',
    async send({ reason }) {
      const answer = await app('PUT', '/catalog', { reason }, body);
      dispatchEvent(new HashChangeEvent('hashchange'));
      return `Revision ${answer.revision} is in force.`;
    },
  });
  return h('details', {}, h('summary', {}, h('h3', {}, 'Change it')), area,
    h('p', {}, h('button', { type: 'button', onclick: () => compare().then(() => say('Compared.')) }, 'Compare')), result);
}

/** The page of the catalog. */
export async function catalog(_, { before }) {
  const [{ revision, catalog: current }, past] = await Promise.all([
    app('GET', '/catalog'), app('GET', '/catalog/revisions', { before, limit: 20 })]);
  return [
    h('h1', {}, 'Catalog'),
    h('section', { class: 'card' },
      h('h2', {}, `In force: revision ${revision} of ${session.app}`), products(current),
      h('h3', {}, 'Policies'), h('dl', {}, Object.entries(current.policies).map(([name, value]) => [h('dt', {}, name), h('dd', {}, String(value))])),
      isAdmin() && editor(current)),
    h('section', { class: 'card' }, h('h2', {}, 'Revisions'),
      past.revisions.map((item) => h('article', {},
        h('h3', {}, `Revision ${item.revision}`, h('span', { class: 'note' }, ` ${time(item.recordedAt)}, ${item.actor}${item.reason && `: ${item.reason}`}`)),
        item.changes ? diff(item.changes) : h('p', { class: 'quiet' }, 'The first.'))),
      past.next && h('a', { href: `#/catalog?before=${past.next}` }, 'Earlier revisions'))];
}
"""##),
        ("dialog.js", ##"""
// Asks before something is done: what, to whom, why.

import { Refusal } from './api.js';
import { field, h, say } from './dom.js';

/**
 * Opens a dialog. `fields` are elements with a `name`; `send` gets their values and the reason, and returns when it is done.
 * `confirm` must be typed as it is where nothing can be taken back.
 */
export function dialog({ title, text, fields = [], button, confirm, isDangerous = false, send }) {
  const wrong = h('p', { class: 'wrong', role: 'alert' });
  const reason = h('input', { name: 'reason', required: true, maxlength: 300, autocomplete: 'off' });
  const typed = confirm && h('input', { name: 'confirm', required: true, autocomplete: 'off', spellcheck: 'false' });
  const submit = h('button', { type: 'submit', class: isDangerous ? 'danger' : 'primary' }, button);
  const form = h('form', { method: 'dialog' },
    h('h2', {}, title), text && h('p', {}, text), fields,
    field('Reason', reason, 'It is recorded with your name.'),
    typed && field(`Type ${confirm} to confirm`, typed), wrong,
    h('div', { class: 'row end' }, h('button', { type: 'button', onclick: () => box.close() }, 'Cancel'), submit));
  const box = h('dialog', { 'aria-label': title }, form);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (typed && typed.value.trim() !== confirm) {
      wrong.textContent = `Type ${confirm}: nothing was done.`;
      return typed.focus();
    }
    submit.disabled = true;
    wrong.textContent = '';
    try {
      say(await send(Object.fromEntries(new FormData(form))) ?? `${title}: done.`);
      box.close();
    } catch (error) {
      wrong.textContent = error instanceof Refusal ? `${error.message} (${error.code})` : error.message;
      submit.disabled = false;
    }
  });
  const opener = document.activeElement;
  box.addEventListener('close', () => {
    box.remove();
    // What opened it may be gone with what was done.
    (opener?.isConnected ? opener : document.getElementById('main')).focus();
  });
  document.body.append(box);
  box.showModal();
}
"""##),
        ("doings.js", ##"""
// What an operator may do with an account. Everything is asked back, with a reason that is recorded.

import { accountPath, app } from './api.js';
import { dialog } from './dialog.js';
import { field, h, say } from './dom.js';
import { isAdmin, session } from './session.js';

const environment = () => session.environment;

function grant(account, content, done) {
  const names = content.entitlements.map((item) => item.id);
  const list = h('datalist', { id: 'entitlements' }, names.map((value) => h('option', { value })));
  dialog({
    title: 'Grant access', text: 'It begins now.', button: 'Grant',
    fields: [
      field('Entitlement', h('input', { name: 'entitlement', required: true, list: 'entitlements', value: names[0] ?? '', autocomplete: 'off' })), list,
      field('Until (UTC)', h('input', { name: 'until', type: 'datetime-local' }), 'For ever when empty.')],
    async send({ entitlement, until, reason }) {
      const end = until ? Date.parse(`${until}Z`) : undefined;
      const answer = await app('POST', accountPath(account, '/grants'), { environment: environment() }, { entitlement, until: end, reason });
      await done();
      return `Granted: ${answer.id}.`;
    },
  });
}

function revoke(id, done) {
  dialog({
    title: `Take back grant ${id}`, text: 'What it unlocks ends now, unless something else gives it, too.', button: 'Take back', isDangerous: true,
    async send({ reason }) {
      await app('DELETE', `/grants/${encodeURIComponent(id)}`, { environment: environment(), reason });
      await done();
      return 'Taken back.';
    },
  });
}

function transfer(account, done) {
  dialog({
    title: 'Move a purchase to this account', text: 'The account that has it now loses it; both get the event.', button: 'Move',
    fields: [field('Original transaction id', h('input', { name: 'id', required: true, maxlength: 64, autocomplete: 'off', spellcheck: 'false' }))],
    async send({ id, reason }) {
      await app('POST', accountPath(account, '/transfer'), { environment: environment(), reason }, { originalTransactionId: id.trim() });
      await done();
      return 'Moved.';
    },
  });
}

function reconcile(account, done) {
  dialog({
    title: 'Ask the App Store', text: 'Fetches what Apple knows of this account’s purchases.', button: 'Ask',
    async send({ reason }) {
      await app('POST', '/reconcile', { environment: environment(), account, reason });
      await done();
      return 'Asked.';
    },
  });
}

function erase(account, done) {
  dialog({
    title: 'Erase this account', button: 'Erase for good', isDangerous: true, confirm: account.slice(0, 8),
    text: 'Its view, the signed data and the link to the person are removed in every environment. What it owned stays locked. Nothing brings it back.',
    async send({ reason }) {
      await app('POST', accountPath(account, '/erase'), { reason });
      await done();
      return 'Erased.';
    },
  });
}

async function save(account) {
  const content = await app('GET', accountPath(account, '/export'));
  const address = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }));
  h('a', { href: address, download: `${account}.json` }).click();
  URL.revokeObjectURL(address);
  say('The export is saved. It may name other accounts.');
}

/** The card of acts; `done` reloads the page. */
export function doings(account, content, canReconcile, done) {
  const grants = content.entitlements.flatMap((item) => item.candidates)
    .filter((item) => item.kind === 'grant' && ['active', 'upcoming'].includes(item.standing));
  const button = (label, act, kind = '') => h('button', { type: 'button', class: kind, onclick: act }, label);
  return h('section', { class: 'card' }, h('h2', {}, 'Do'),
    h('div', { class: 'row' },
      button('Grant…', () => grant(account, content, done)),
      grants.map((item) => button(`Take back ${item.id}…`, () => revoke(item.id, done))),
      isAdmin() && button('Move a purchase here…', () => transfer(account, done)),
      isAdmin() && canReconcile && button('Ask the App Store…', () => reconcile(account, done)),
      button('Export', () => save(account).catch((error) => say(error.message))),
      isAdmin() && button('Erase…', () => erase(account, done), 'danger')),
    !isAdmin() && h('p', { class: 'quiet' }, 'Your token is of scope support: moving and erasing need one of scope admin.'),
    h('p', {}, h('a', { href: `#/acts/${account}` }, 'What operators did to this account')));
}
"""##),
        ("dom.js", ##"""
// Builds elements. Text is always text: nothing that a service or a person said is ever read as markup.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** An HTML element: `h('p', { class: 'quiet' }, 'text', other)`. */
export function h(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An SVG element. */
export function s(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** A labelled form field. */
export function field(label, input, hint) {
  return h('label', { class: 'field' }, h('span', {}, label), input, hint && h('small', {}, hint));
}

/** A table with a caption for screen readers; it scrolls sideways where it must. */
export function table(caption, heads, rows) {
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    h('table', {},
      h('caption', { class: 'unseen' }, caption),
      h('thead', {}, h('tr', {}, heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, rows.map((cells) => h('tr', {}, cells.map((cell) => h('td', {}, cell)))))));
}

/** Tells screen readers, and everybody at the foot of the page. */
export function say(text) {
  const place = document.getElementById('said');
  place.textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { place.textContent = ''; }, 6000);
}
"""##),
        ("explanation.js", ##"""
// Why an account has what it has, in words: every conclusion with its rule and the event that said so.

import { BEGINS, interval, state, time, told } from './format.js';
import { h } from './dom.js';

function line(name, when, how, rule, by, kind = '') {
  return h('tr', { class: kind }, h('th', { scope: 'row' }, name), h('td', {}, when), h('td', {}, how), h('td', { class: 'rule' }, rule), h('td', { class: 'quiet' }, by));
}

function candidate(item, describedBy) {
  const [word, tone] = state(item.standing);
  const name = item.kind === 'grant' ? `grant ${item.id}` : item.productId || 'no product';
  const lines = item.intervals.length ? [line('begins', time(item.intervals[0][0]), BEGINS[item.beginsBy] ?? item.beginsBy, item.kind === 'grant' ? 'R4' : 'R2', told(item.toldBy))] : [];
  for (const end of item.ends) {
    lines.push(line(end.isDecisive ? 'ends' : 'else', time(end.at), end.phrase, end.rule, told(end.toldBy), end.isDecisive ? '' : 'quiet'));
  }
  if (item.intervals.length && !item.ends.some((end) => end.isDecisive)) lines.push(line('ends', 'never', '', 'R2', ''));
  for (const word of item.takenBack) {
    lines.push(line('no more', time(word.at), word.cause, 'R1', `${told(word.toldBy)}; taken back by ${told(word.takenBackBy)}`, 'quiet'));
  }
  return h('article', { class: 'candidate' },
    h('h4', {}, name, ' ', item.kind === 'transaction' && h('span', { class: 'id quiet' }, item.id), ' ',
      h('span', { class: `pill ${tone}` }, word), item.id === describedBy && h('span', { class: 'note' }, ' describes it')),
    item.nothingPhrase && h('p', {}, `It gives nothing: ${item.nothingPhrase}.`),
    lines.length > 0 && h('div', { class: 'scroll' }, h('table', { class: 'lines' }, h('caption', { class: 'unseen' }, `Begin and end of ${name} ${item.id}`), h('tbody', {}, lines))));
}

function entitlement(reasons) {
  return h('details', { open: true },
    h('summary', {}, h('h3', {}, reasons.id), ' ', h('span', { class: 'quiet' }, state(reasons.state)[0])),
    h('p', {}, reasons.headline),
    h('dl', {},
      reasons.intervals.length > 0 && [h('dt', {}, 'access'), h('dd', {}, reasons.intervals.map((item) => h('div', {}, interval(item))))],
      reasons.next && [h('dt', {}, 'next'), h('dd', {}, `${time(reasons.next.at)}: ${reasons.next.isActiveAfter ? 'still active' : 'not active'} (${state(reasons.next.stateAfter)[0]})`)],
      reasons.describesPhrase && [h('dt', {}, 'described by'), h('dd', {}, `${reasons.describedBy}: ${reasons.describesPhrase}`)],
      reasons.possible.length > 0 && [h('dt', {}, 'if'), h('dd', {}, reasons.possible.map((item) => h('div', {}, `${item.subject}: ${item.effect}`)))]),
    reasons.candidates.map((item) => candidate(item, reasons.describedBy)));
}

/** The card of an explanation. */
export function explanation(content) {
  const cards = content.entitlements.map(entitlement);
  if (content.others.length) {
    cards.push(h('details', {}, h('summary', {}, h('h3', {}, 'Transactions that unlock nothing'), ' ', h('span', { class: 'quiet' }, content.others.length)),
      content.others.map((item) => candidate(item))));
  }
  if (!cards.length) return null;
  return h('section', { class: 'card' }, h('h2', {}, 'Why'),
    h('p', { class: 'quiet' }, 'R1 to R11 are the rules of the concepts page. A grantor that ends ends no other.'), cards);
}
"""##),
        ("format.js", ##"""
// Times and words for people. Times are UTC, as in the answers and on the command line.

const pad = (number) => String(number).padStart(2, '0');

/** `2026-06-01 10:00`, with seconds where there are some. */
export function time(ms) {
  if (ms === null || ms === undefined) return '–';
  const date = new Date(ms);
  const day = `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
  const seconds = date.getUTCSeconds() ? `:${pad(date.getUTCSeconds())}` : '';
  return `${day} ${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}${seconds}`;
}

/** `2026-06-01`. */
export const day = (ms) => time(ms).slice(0, 10);

/** From one time to another, or for ever. */
export function interval([from, to]) {
  const start = from === null ? 'the beginning' : time(from);
  return to === null ? `from ${start}, for ever` : `${start} to ${time(to)}`;
}

/** `+5 s`, `40 days`: the greatest unit that fits. */
export function span(ms) {
  const units = [['day', 86400000], ['h', 3600000], ['min', 60000], ['s', 1000]];
  for (const [name, size] of units) {
    if (Math.abs(ms) < size) continue;
    const count = Math.round(ms / size);
    return `${count} ${name}${name === 'day' && count !== 1 ? 's' : ''}`;
  }
  return `${ms} ms`;
}

/** Short names for long ids: the last four digits tell them apart. */
export const short = (id) => (id.length > 9 ? `…${id.slice(-4)}` : id);

const STATES = {
  active: ['active', 'good'], inGracePeriod: ['in grace period', 'warn'], upcoming: ['still to come', 'plain'],
  revoked: ['revoked', 'bad'], inBillingRetry: ['in billing retry', 'warn'], expired: ['expired', 'plain'],
  over: ['over', 'plain'], nothing: ['gives nothing', 'plain'],
};

/** A state as words and a tone. */
export const state = (name) => STATES[name] ?? [name ?? 'never granted', 'plain'];

/** How access began. */
export const BEGINS = { purchase: 'bought', stacked: 'after the pass before', movedHere: 'came to this account', grant: 'granted' };

/** How a purchase came to its owner. */
export const OWNS = { token: 'by its token', claim: 'by claim', restore: 'by restore', operator: 'by an operator', locked: 'locked: its owner was erased' };

/** The event that said something. */
export function told(entry) {
  if (!entry) return 'no event of this account';
  const name = entry.notificationType ? [entry.notificationType, entry.subtype].filter(Boolean).join(' ') : `${entry.type} by ${entry.source}`;
  return `event ${entry.version}, ${name}, learned ${time(entry.learnedAt)}`;
}
"""##),
        ("icon.svg", ##"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#2457a6"/><path d="M4 4.5h5M4 8h8M4 11.5h3" stroke="#fff" stroke-width="1.8" stroke-linecap="round"/></svg>
"""##),
        ("index.html", ##"""
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Entitled</title>
  <link rel="icon" href="/admin/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/admin/style.css">
  <script type="module" src="/admin/main.js"></script>
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header id="top"></header>
  <main id="main" tabindex="-1"><noscript>The console needs JavaScript; `entitled account` does the same on the command line.</noscript></main>
  <div id="said" role="status" aria-live="polite"></div>
</body>
</html>
"""##),
        ("main.js", ##"""
// The frame: sign-in, search, the way to each page.

import { get, Refusal } from './api.js';
import { account } from './account.js';
import { acts } from './acts.js';
import { catalog } from './catalog.js';
import { h, say } from './dom.js';
import { operations } from './operations.js';
import { find } from './search.js';
import { isAdmin, keep, resume, session, signIn, signOut } from './session.js';
import { unclaimed } from './unclaimed.js';

const PAGES = { find, account, unclaimed, catalog, acts, operations };
const LINKS = [['find', 'Accounts'], ['unclaimed', 'Unclaimed'], ['catalog', 'Catalog'], ['acts', 'Acts'], ['operations', 'Live']];

const top = document.getElementById('top');
const main = document.getElementById('main');
let leave = () => {};
let turn = 0;

/** A card that says why something is not shown. */
function trouble(error) {
  const isRefusal = error instanceof Refusal;
  return h('section', { class: 'card trouble', role: 'alert' },
    h('h2', {}, isRefusal ? error.title : 'The console made a mistake'),
    h('p', {}, error.message),
    isRefusal && h('p', { class: 'quiet' }, `code ${error.code}`, error.requestId && `, request ${error.requestId}`));
}

function choose(name, value) {
  session[name] = value;
  keep();
  // What the address says of a moment or an environment is of the one before.
  const [path] = location.hash.split('?');
  if (path === location.hash) show(); else location.hash = path;
}

function choice(label, name, values) {
  const select = h('select', { 'aria-label': label, onchange: () => choose(name, select.value) },
    values.map((value) => h('option', { value, selected: value === session[name] }, value)));
  return select;
}

function frame(page) {
  const app = session.apps.find((item) => item.bundleId === session.app);
  const search = h('input', { type: 'search', name: 'id', placeholder: 'Account, transaction or grant', 'aria-label': 'Find an account by any id', autocomplete: 'off', spellcheck: 'false' });
  const isThere = (name) => name === page || (name === 'find' && page === 'account');
  top.replaceChildren(
    h('div', { class: 'masthead' },
      h('a', { class: 'brand', href: '#/find' }, 'Entitled'),
      h('form', { role: 'search', onsubmit: (event) => { event.preventDefault(); go('find', search.value.trim()); } },
        search, h('button', { type: 'submit' }, 'Find')),
      h('div', { class: 'who' },
        choice('App', 'app', session.apps.map((item) => item.bundleId)),
        choice('Environment', 'environment', app?.environments ?? []),
        h('span', { class: 'quiet', title: isAdmin() ? 'May do everything' : 'May look and grant' }, `${session.subject} · ${session.scope}`),
        h('button', { type: 'button', class: 'flat', onclick: () => signOut() }, 'Sign out'))),
    h('nav', { 'aria-label': 'Pages' },
      LINKS.map(([name, label]) => h('a', { href: `#/${name}`, 'aria-current': isThere(name) && 'page' }, label))));
}

function signInPage(reason) {
  const input = h('input', { type: 'password', name: 'token', required: true, autocomplete: 'off', spellcheck: 'false' });
  const wrong = h('p', { class: 'wrong', role: 'alert' }, reason ?? '');
  const submit = async (event) => {
    event.preventDefault();
    wrong.textContent = '';
    if (!signIn(input.value.trim())) {
      wrong.textContent = 'This is no operator’s token: it must be of scope support or admin.';
      input.focus();
      return;
    }
    try {
      await begin();
      say(`Signed in as ${session.subject}.`);
    } catch (error) {
      // A token that is not accepted was told so already.
      if (session.token) signOut(error.message);
    }
  };
  top.replaceChildren();
  document.title = 'Sign in · Entitled';
  main.replaceChildren(h('section', { class: 'card narrow' },
    h('h1', {}, 'Entitled'),
    h('form', { onsubmit: submit },
      h('label', { class: 'field' }, h('span', {}, 'Operator’s token'), input,
        h('small', {}, 'It is kept in this tab only.')),
      wrong,
      h('button', { type: 'submit', class: 'primary' }, 'Sign in')),
    h('p', { class: 'quiet' }, 'Whoever runs the service makes one: ', h('code', {}, 'entitled token --scope support --subject NAME'),
      '. With support one may look and grant, with admin everything.')));
  input.focus();
}

/** Goes to a page: `go('account', id, { at })`. */
function go(page, id = '', query = {}) {
  const words = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined && value !== null));
  const address = `#/${page}${id && `/${encodeURIComponent(id)}`}${words.size ? `?${words}` : ''}`;
  if (address === location.hash) show(); else location.hash = address;
}

async function show() {
  if (!session.token) return;
  const [path, words = ''] = location.hash.replace(/^#\//, '').split('?');
  const [name, id = ''] = path.split('/').map(decodeURIComponent);
  const page = PAGES[name] ? name : 'find';
  const query = Object.fromEntries(new URLSearchParams(words));
  if (query.environment && session.apps.some((item) => item.environments.includes(query.environment))) session.environment = query.environment;
  leave();
  leave = () => {};
  frame(page);
  const mine = ++turn;
  main.setAttribute('aria-busy', 'true');
  let content;
  try {
    content = await PAGES[page](id, query, (ending) => { leave = ending; });
  } catch (error) {
    content = trouble(error);
  }
  if (mine !== turn || !session.token) return;
  main.removeAttribute('aria-busy');
  main.replaceChildren(...[content].flat(Infinity).filter(Boolean));
  document.title = `${main.querySelector('h1')?.textContent ?? 'Entitled'} · Entitled`;
  if (document.activeElement === document.body) main.focus({ preventScroll: true });
}

async function begin() {
  session.apps = (await get('/v1/apps')).apps;
  if (!session.apps.length) throw new Error('No app is served yet, or not the one of this token. `entitled catalog apply` adds one.');
  const app = session.apps.find((item) => item.bundleId === session.app) ?? session.apps[0];
  session.app = app.bundleId;
  if (!app.environments.includes(session.environment)) session.environment = app.environments[0];
  keep();
  await show();
}

addEventListener('hashchange', show);
addEventListener('signedout', (event) => { leave(); leave = () => {}; signInPage(event.detail); });

if (resume()) begin().catch((error) => { signOut(error.message); });
else signInPage();
"""##),
        ("metrics.js", ##"""
// Reads Prometheus' text format, and makes rates of counters.

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** What a page of metrics says: `{ name: [{ labels, value }] }`. */
export function read(text) {
  const series = {};
  for (const line of text.split('\n')) {
    const found = LINE.exec(line);
    if (!found) continue;
    const labels = Object.fromEntries([...(found[2] ?? '').matchAll(LABEL)].map(([, name, value]) => [name, value]));
    (series[found[1]] ??= []).push({ labels, value: Number(found[3]) });
  }
  return series;
}

/** The sum of a metric, over the series that fit. */
export function sum(series, name, fits = () => true) {
  return (series[name] ?? []).filter(({ labels }) => fits(labels)).reduce((total, { value }) => total + value, 0);
}

/** A quantile of a histogram's growth between two readings; undefined if nothing came. */
export function quantile(before, after, name, share, fits = () => true) {
  const bounds = new Map();
  for (const [series, sign] of [[after, 1], [before, -1]]) {
    for (const { labels, value } of series[`${name}_bucket`] ?? []) {
      if (fits(labels)) bounds.set(labels.le, (bounds.get(labels.le) ?? 0) + sign * value);
    }
  }
  const sorted = [...bounds].map(([le, count]) => [le === '+Inf' ? Infinity : Number(le), count]).sort((a, b) => a[0] - b[0]);
  const total = sorted.at(-1)?.[1] ?? 0;
  if (total <= 0) return undefined;
  return sorted.find(([, count]) => count >= share * total)[0];
}
"""##),
        ("operations.js", ##"""
// The service's numbers of this moment, and where its longer works are seen.

import { get, serves } from './api.js';
import { h, s, table } from './dom.js';
import { quantile, read, sum } from './metrics.js';

const EVERY = 3000;
const KEPT = 60;

const whole = (number) => (number >= 100 ? Math.round(number) : Math.round(number * 10) / 10).toLocaleString('en');
const duration = (seconds) => (seconds === undefined ? '–' : seconds === Infinity ? '> 4 min' : seconds < 1 ? `≤ ${seconds * 1000} ms` : `≤ ${seconds} s`);

function spark(values) {
  const top = Math.max(1e-9, ...values);
  const points = values.map((value, index) => `${index * 120 / (KEPT - 1)},${28 - value / top * 26}`).join(' ');
  return s('svg', { class: 'spark', viewBox: '0 0 120 30', 'aria-hidden': 'true', preserveAspectRatio: 'none' }, s('polyline', { points }));
}

/** What is shown: of two readings some seconds apart. */
function numbers(before, after, seconds) {
  const rate = (name, fits) => Math.max(0, sum(after, name, fits) - sum(before, name, fits)) / seconds;
  const appends = rate('entitled_append_duration_seconds_count');
  const events = rate('entitled_append_events_sum');
  return [
    ['Requests', rate('entitled_requests_total'), 'a second'],
    ['Failures', rate('entitled_requests_total', ({ status }) => status >= 500), 'answers 5xx a second'],
    ['Held polls', sum(after, 'entitled_holds'), 'now'],
    ['In flight', sum(after, 'entitled_requests_in_flight'), 'requests wait for the database'],
    ['Events', events, appends ? `stored a second, ${whole(events / appends)} an append` : 'stored a second'],
    ['Writers’ queue', sum(after, 'entitled_append_queue'), 'commands wait'],
    ['Tail', sum(after, 'entitled_tail_age_seconds'), 'seconds since the log was read'],
    ['Alarms', sum(after, 'entitled_alarms_total'), 'since the start; should be 0'],
  ];
}

function routes(before, after, seconds) {
  const groups = new Map();
  for (const { labels } of after.entitled_requests_total ?? []) groups.set(`${labels.method} ${labels.route}`, labels);
  const rows = [...groups].map(([name, { method, route }]) => {
    const fits = (labels) => labels.method === method && labels.route === route;
    const growth = (also = () => true) => sum(after, 'entitled_requests_total', (labels) => fits(labels) && also(labels)) - sum(before, 'entitled_requests_total', (labels) => fits(labels) && also(labels));
    return [name, growth() / seconds, quantile(before, after, 'entitled_request_duration_seconds', 0.95, fits), growth(({ status }) => status >= 400) / seconds];
  });
  return rows.sort((a, b) => b[1] - a[1]).slice(0, 15).map(([name, perSecond, slow, refused]) => [h('span', { class: 'id' }, name), whole(perSecond), duration(slow), whole(refused)]);
}

function outcomes(after) {
  const list = ['entitled_signed_objects_total', 'entitled_commands_total', 'entitled_holds_ended_total'].flatMap((name) => (after[name] ?? []).map(({ labels, value }) => [name.slice(9, -6).replaceAll('_', ' '), labels.outcome, value]));
  return list.sort((a, b) => b[2] - a[2]);
}

async function work(path, method, title, absent) {
  const isServed = await serves(method, path);
  return h('section', { class: 'card' }, h('h2', {}, title),
    h('p', { class: 'quiet' }, isServed ? `Served at ${path}; the command line shows it.` : absent));
}

/** The page of live numbers. */
export async function operations(_, __, onLeave) {
  const readings = [];
  const tiles = h('div', { class: 'tiles' });
  const tables = h('div', { class: 'stack' });
  const trend = new Map();
  let isPaused = false;
  const button = h('button', { type: 'button', 'aria-pressed': 'false', onclick: () => {
    isPaused = !isPaused;
    button.setAttribute('aria-pressed', isPaused);
    button.textContent = isPaused ? 'Go on' : 'Pause';
  } }, 'Pause');
  const trouble = h('p', { class: 'wrong', role: 'status' });

  const look = async () => {
    try {
      readings.push({ at: performance.now(), series: read(await get('/metrics')) });
      trouble.textContent = '';
    } catch (error) {
      trouble.textContent = error.message;
      return;
    }
    if (readings.length > 5) readings.shift();
    const [first, last] = [readings[0], readings.at(-1)];
    const seconds = Math.max(0.001, (last.at - first.at) / 1000);
    tiles.replaceChildren(...numbers(first.series, last.series, seconds).map(([name, value, unit]) => {
      const values = [...(trend.get(name) ?? []), value].slice(-KEPT);
      trend.set(name, values);
      return h('div', { class: 'tile' }, h('span', { class: 'quiet' }, name), h('b', {}, whole(value)), h('small', {}, unit), spark(values));
    }));
    tables.replaceChildren(
      h('section', { class: 'card' }, h('h2', {}, 'Routes'), table('Routes', ['route', 'a second', '95 % within', 'refused a second'], routes(first.series, last.series, seconds))),
      h('section', { class: 'card' }, h('h2', {}, 'Outcomes since the start'), table('Outcomes', ['of', 'outcome', 'count'], outcomes(last.series))));
  };
  await look();
  const timer = setInterval(() => { if (!isPaused && !document.hidden) look(); }, EVERY);
  onLeave(() => clearInterval(timer));
  const works = await Promise.all([
    work('/rebuilds', 'get', 'Rebuilds', 'This release cannot rebuild projections while it runs.'),
    work('/reconcile', 'post', 'Reconciler', 'This release does not ask the App Store by itself.'),
    work('/webhooks', 'get', 'Webhooks', 'This release calls no webhooks.')]);
  return [
    h('div', { class: 'title' }, h('h1', {}, 'Live numbers'), button, h('span', { class: 'quiet' }, 'of this instance, every three seconds')),
    trouble, tiles, tables, works];
}
"""##),
        ("search.js", ##"""
// Finds an account by any id, in every environment.

import { app } from './api.js';
import { h, table } from './dom.js';
import { session } from './session.js';

const link = (item, id = item.account) => h('a', { class: 'id', href: `#/account/${item.account}?environment=${item.environment}` }, id);

function hint() {
  return [
    h('h1', {}, 'Find an account'),
    h('p', {}, 'Type an id above: of an account, a transaction, an original transaction, or a grant. Every environment is searched.'),
    h('p', { class: 'quiet' }, 'Customers find a transaction id in nothing that they see; the order number of Apple’s receipt is another one. ',
      'Ask the app: it knows its account.')];
}

/** The page of a search. One account alone is opened at once. */
export async function find(id) {
  if (!id) return hint();
  const found = await app('GET', '/accounts', { id });
  const accounts = new Set(found.accounts.map((item) => `${item.account} ${item.environment}`));
  if (accounts.size === 1 && found.purchases.every((purchase) => purchase.accounts.length)) {
    const [only] = found.accounts;
    location.replace(`#/account/${only.account}?environment=${only.environment}`);
    return h('p', {}, 'Opening the account…');
  }
  const isNothing = !found.accounts.length && !found.purchases.length;
  return [
    h('h1', {}, `Found for ${id}`),
    isNothing && h('section', { class: 'card' },
      h('p', {}, `Nothing of this id is known to ${session.app}.`),
      h('p', { class: 'quiet' }, 'The app may not have pushed it yet, and Apple may not have told of it.')),
    found.accounts.length > 0 && h('section', { class: 'card' }, h('h2', {}, 'Accounts'),
      table('Accounts', ['account', 'environment', 'events'],
        found.accounts.map((item) => [link(item), item.environment, item.version]))),
    found.purchases.length > 0 && h('section', { class: 'card' }, h('h2', {}, 'Purchases'),
      table('Purchases', ['original transaction', 'environment', 'accounts that own it or did'],
        found.purchases.map((item) => [
          h('span', { class: 'id' }, item.originalTransactionId), item.environment,
          item.accounts.length
            ? item.accounts.map((account) => h('div', {}, link({ ...item, account })))
            : item.isLocked ? 'locked: its owner was erased' : 'nobody: unclaimed'])))];
}
"""##),
        ("session.js", ##"""
// Who looks, at which app. The token is kept for this tab only, and never in an address or on a disk.

const KEY = 'entitled.session';

/** The present session; `token` is empty before the sign-in. */
export const session = { token: '', app: '', environment: 'Production', subject: '', scope: '', apps: [] };

function claims(token) {
  try {
    const text = atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0))));
  } catch {
    return {};
  }
}

/** Takes a token. What it says is only for what is shown: the service decides what it may do. */
export function signIn(token) {
  const { sub, scope } = claims(token);
  if (scope !== 'support' && scope !== 'admin') return false;
  Object.assign(session, { token, subject: sub ?? '', scope });
  keep();
  return true;
}

/** Keeps what is looked at for a reload of this tab. */
export function keep() {
  const { token, app, environment } = session;
  sessionStorage.setItem(KEY, JSON.stringify({ token, app, environment }));
}

/** Comes back after a reload. */
export function resume() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    if (!kept.token || !signIn(kept.token)) return false;
    Object.assign(session, { app: kept.app ?? '', environment: kept.environment ?? 'Production' });
    keep();
    return true;
  } catch {
    return false;
  }
}

/** Forgets everything. */
export function signOut(reason = '') {
  sessionStorage.removeItem(KEY);
  Object.assign(session, { token: '', subject: '', scope: '', apps: [] });
  dispatchEvent(new CustomEvent('signedout', { detail: reason }));
}

/** Whether the token may do everything; the other operators may look and grant. */
export const isAdmin = () => session.scope === 'admin';
"""##),
        ("style.css", ##"""
:root {
  color-scheme: light dark;
  --back: #f6f6f4; --card: #fff; --text: #1c1e22; --quiet: #5b616b; --line: #dddfe3; --field: #f3f4f6;
  --accent: #2457a6; --on-accent: #fff; --good: #17703f; --warn: #8a5a00; --bad: #b02a20;
  --bar: #8fb1e3; --access: #2457a6; --grace: #e0a63a;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #131518; --card: #1b1e23; --text: #e5e7ea; --quiet: #a0a7b1; --line: #31363d; --field: #24282e;
    --accent: #8ab4f8; --on-accent: #10141a; --good: #6fd39a; --warn: #e6b450; --bad: #ff8f85;
    --bar: #47689b; --access: #8ab4f8; --grace: #b98a2f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 14px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
h1, h2, h3, h4, p, ul, dl, dd, figure { margin: 0; }
h1 { font-size: 18px; font-weight: 600; overflow-wrap: anywhere; }
h2 { font-size: 15px; font-weight: 600; }
h3, h4 { font-size: 14px; font-weight: 600; display: inline; }
small, .quiet { color: var(--quiet); }
small { font-size: 12px; }
a { color: var(--accent); }
code, .id { font-family: var(--mono); font-size: .93em; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
.unseen, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: absolute; z-index: 2; background: var(--card); padding: 8px 12px; }

#top { background: var(--card); border-bottom: 1px solid var(--line); padding: 0 max(16px, calc((100vw - 1120px) / 2)); }
#top:empty { display: none; }
.masthead { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; padding: 10px 0 6px; }
.masthead form { display: flex; gap: 6px; flex: 1 1 280px; }
.masthead input { flex: 1; min-width: 0; }
.brand { font-weight: 650; font-size: 16px; color: var(--text); text-decoration: none; }
.who { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
nav { display: flex; gap: 2px; overflow-x: auto; }
nav a { padding: 7px 10px; color: var(--quiet); text-decoration: none; border-bottom: 2px solid transparent; white-space: nowrap; }
nav a:hover { color: var(--text); }
nav a[aria-current] { color: var(--text); border-color: var(--accent); font-weight: 600; }
main { max-width: 1152px; margin: 0 auto; padding: 16px; display: grid; gap: 14px; grid-template-columns: minmax(0, 1fr); }
main[aria-busy] { opacity: .6; }
.stack { display: grid; gap: 14px; grid-template-columns: minmax(0, 1fr); }

.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 14px 16px; display: grid; gap: 10px; grid-template-columns: minmax(0, 1fr); }
.narrow { max-width: 460px; margin: 8vh auto 0; width: 100%; }
.trouble { border-left: 4px solid var(--bad); }
.title { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; }
.row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.end { justify-content: flex-end; }

input, select, textarea, button { font: inherit; color: inherit; background: var(--field); border: 1px solid var(--line); border-radius: 6px; padding: 5px 9px; max-width: 100%; }
textarea { width: 100%; font: 12.5px/1.5 var(--mono); margin-top: 8px; }
button { cursor: pointer; background: var(--card); }
button:hover:not(:disabled) { border-color: var(--quiet); }
button:disabled { opacity: .5; cursor: default; }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
.danger { color: var(--bad); border-color: currentColor; }
.flat { border-color: transparent; background: none; color: var(--accent); padding: 3px 6px; }
.field { display: grid; gap: 3px; margin: 8px 0; }
.field span { font-weight: 600; }
.wrong { color: var(--bad); }
.wrong:empty { display: none; }
dialog { border: 1px solid var(--line); border-radius: 10px; background: var(--card); color: inherit; padding: 18px 20px; width: min(460px, calc(100vw - 32px)); }
dialog::backdrop { background: rgb(0 0 0 / .45); }
dialog form { display: grid; gap: 6px; }

.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 5px 14px 5px 0; border-top: 1px solid var(--line); }
thead th { color: var(--quiet); font-weight: 500; font-size: 12.5px; border-top: 0; white-space: nowrap; }
td:first-child, td:nth-child(2) { white-space: nowrap; }
.lines { width: auto; }
.lines th { font-weight: 500; color: var(--quiet); white-space: nowrap; }
.lines td:nth-child(2) { white-space: nowrap; }
.lines th, .lines td { border: 0; padding: 1px 14px 1px 0; }
.note { color: var(--quiet); font-weight: 400; }
td > .id { white-space: nowrap; }
.lines tr.quiet td { color: var(--quiet); }
.rule { font-weight: 600; color: var(--quiet); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 3px 14px; }
dt { color: var(--quiet); }
.answers { list-style: none; padding: 0; display: grid; gap: 6px; }
.answers li { display: flex; gap: 10px; align-items: baseline; font-size: 15px; }
.pill { display: inline-block; font-size: 12px; font-weight: 600; padding: 1px 8px; border-radius: 99px; border: 1px solid currentColor; white-space: nowrap; }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); } .plain { color: var(--quiet); }
.balance { margin-right: 16px; }
details { border-top: 1px solid var(--line); padding-top: 8px; }
summary { cursor: pointer; }
details > p, details > dl { margin: 4px 0; }
.candidate { margin-top: 8px; padding-left: 12px; border-left: 2px solid var(--line); }
.diff { list-style: none; padding: 0; }
.diff .added b, ins { color: var(--good); } .diff .gone b, del { color: var(--bad); } .diff .changed b { color: var(--warn); }
ins { text-decoration: none; } ins, del { font-family: var(--mono); font-size: .9em; overflow-wrap: anywhere; }

.travel { grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); gap: 8px 32px; padding-block: 10px; }
.slider { display: grid; gap: 4px; align-content: start; }
.slider input[type=range] { width: 100%; padding: 0; accent-color: var(--accent); background: none; border: 0; }
.slider input[type=datetime-local] { padding: 2px 6px; font-size: 13px; }
output { font-variant-numeric: tabular-nums; }

.timeline { overflow-x: auto; }
.timeline svg { display: block; font-size: 12px; fill: var(--text); }
.label { font-weight: 600; paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round; } .label.grantor { font-weight: 400; fill: var(--quiet); }
.tick path { stroke: var(--line); } .tick text { fill: var(--quiet); font-size: 11px; }
.access { fill: var(--access); }
.bar { fill: var(--bar); } .over .bar { opacity: .75; } .upcoming .bar { opacity: .5; }
.grace { fill: var(--grace); }
.ever { fill: var(--bar); }
.mark { font-size: 14px; font-weight: 700; text-anchor: middle; paint-order: stroke; stroke: var(--card); stroke-width: 3px; }
.mark.refund, .mark.familyRevoked, .mark.grantRevoked { fill: var(--bad); }
.otherwise path { stroke: var(--quiet); stroke-dasharray: 2 4; stroke-width: 1.5; }
.line path { stroke: var(--text); stroke-width: 1.5; } .line text { font-weight: 600; font-size: 11.5px; }
.line.known path { stroke: var(--warn); stroke-dasharray: 5 3; } .line.known text { fill: var(--warn); }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 12px; color: var(--quiet); }
.legend span { display: inline-flex; gap: 6px; align-items: center; }
.swatch { width: 18px; height: 8px; border-radius: 2px; background: var(--bar); }
.swatch.dotted { height: 0; background: none; border-top: 2px dotted var(--quiet); border-radius: 0; }
.swatch.access { height: 12px; background: var(--access); } .swatch.grace { background: var(--grace); }

.tiles { display: grid; gap: 10px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 220px), 1fr)); }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 10px 14px 6px; display: grid; align-content: space-between; }
.tile b { font-size: 22px; font-weight: 600; line-height: 1.25; font-variant-numeric: tabular-nums; }
.spark { width: 100%; height: 26px; margin-top: 4px; }
.spark polyline { fill: none; stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
#said { position: fixed; bottom: 14px; left: 50%; transform: translateX(-50%); background: var(--text); color: var(--back); padding: 8px 14px; border-radius: 8px; max-width: calc(100vw - 32px); }
#said:empty { display: none; }
@media (max-width: 560px) {
  main { padding: 10px; }
  .card { padding: 12px; }
  .who { width: 100%; } .who .quiet { flex: 1; }
  input, select, textarea { font-size: 16px; }
  .lines, .lines tbody { display: block; }
  .lines tr { display: grid; grid-template-columns: 64px minmax(0, 1fr) max-content; padding-bottom: 4px; }
  .lines td:nth-child(3), .lines td:nth-child(5) { grid-column: 2 / 4; }
  .lines td:nth-child(4) { grid-area: 1 / 3; }
  .answers li { display: grid; gap: 2px; justify-items: start; }
}
@media (prefers-reduced-motion: no-preference) { main { transition: opacity .15s; } }
"""##),
        ("timeline.js", ##"""
// Draws what an explanation says: each entitlement's access, and under it every grantor's.

import { h, s } from './dom.js';
import { day, short, state, time } from './format.js';

const ROW = 24;
const HEAD = 26;
const FOOT = 42;
const MARKS = {
  refund: '✕', familyRevoked: '✕', grantRevoked: '✕', expiry: '┤', duration: '┤', grantEnd: '┤', nextPeriod: '│', upgraded: '↑',
  grace: '┤', graceNotHonoured: '┤', movedAway: '⇄',
};

/** Grantors of one lineage and product share a row: twelve months are twelve segments of one. */
function rows(entitlement) {
  const byName = new Map();
  for (const candidate of entitlement.candidates) {
    const isGrant = candidate.kind === 'grant';
    const key = isGrant ? candidate.id : `${candidate.originalTransactionId} ${candidate.productId}`;
    const row = byName.get(key) ?? {
      label: isGrant ? `grant ${short(candidate.id)}` : `${candidate.productId || 'no product'} ${short(candidate.originalTransactionId)}`,
      candidates: [],
    };
    row.candidates.push(candidate);
    byName.set(key, row);
  }
  return [...byName.values()];
}

const decisive = (candidate) => candidate.ends.find((end) => end.isDecisive);

/** A replacement by another product is an upgrade or the like; by the same, the next period. */
function mark(end) {
  return end.cause === 'nextPeriod' && end.byProductId ? '↑' : MARKS[end.cause] ?? '┤';
}

function extent(explanation, knownAt) {
  const times = [explanation.snapshot.asOf, knownAt];
  for (const { intervals, candidates } of explanation.entitlements) {
    times.push(...intervals.flat());
    for (const candidate of candidates) times.push(...candidate.intervals.flat(), candidate.purchaseDate);
  }
  const known = times.filter((value) => typeof value === 'number');
  const [from, to] = [Math.min(...known), Math.max(...known)];
  const room = Math.max((to - from) * 0.04, 3600000);
  // More behind than before: what would have lasted longer, or lasts for ever, goes out to the right.
  return [from - room, to + 3 * room];
}

function ticks(from, to, count) {
  const days = [1, 2, 7, 14, 30, 61, 91, 182, 365, 730, 1826, 3652].map((number) => number * 86400000);
  const hours = [3600000, 3 * 3600000, 6 * 3600000, 12 * 3600000];
  const step = [...hours, ...days].find((size) => (to - from) / size <= count) ?? (to - from) / count;
  const list = [];
  for (let at = Math.ceil(from / step) * step; at < to; at += step) list.push(at);
  return list.map((at) => ({ at, label: step < 86400000 ? time(at).slice(5) : step > 20 * 86400000 ? day(at).slice(0, 7) : day(at).slice(5) }));
}

function segment(candidate, interval, isFollowed, x, y, to) {
  const [start, end] = [x(interval[0] ?? -Infinity), x(interval[1] ?? to)];
  const expiry = candidate.ends.find((item) => item.cause === 'expiry');
  const last = decisive(candidate);
  const inGrace = last?.cause === 'grace' && expiry && expiry.at > (interval[0] ?? 0) && expiry.at < (interval[1] ?? to);
  const middle = inGrace ? x(expiry.at) : end;
  const until = interval[1] === null ? 'for ever' : `until ${time(interval[1])}`;
  const text = `${candidate.id}: ${time(interval[0])} ${until}${last && interval[1] === last.at ? `, ${last.phrase}` : ''}`;
  return s('g', { class: `segment ${candidate.standing}` },
    s('title', {}, text),
    s('rect', { class: 'bar', x: start, y: y + 8, width: Math.max(2, middle - start - (isFollowed ? 1.5 : 0)), height: 8, rx: 2 }),
    inGrace && s('rect', { class: 'grace', x: middle, y: y + 8, width: Math.max(2, end - middle), height: 8, rx: 2 }),
    interval[1] === null && s('path', { class: 'ever', d: `M${end} ${y + 12}l-7 -5v10z` }),
    last && interval[1] === last.at && !isFollowed && s('text', { class: `mark ${last.cause}`, x: end, y: y + 17 }, mark(last)));
}

/** Where it would have ended without the end in force. */
function otherwise(candidate, x, y, to) {
  const last = decisive(candidate);
  const later = candidate.ends.filter((end) => last && !end.isDecisive && end.at > last.at && end.cause === 'expiry').at(-1);
  if (!later || !candidate.intervals.length) return null;
  return s('g', { class: 'otherwise' }, s('title', {}, `otherwise ${later.phrase} ${time(later.at)}`),
    s('path', { d: `M${x(last.at) + 7} ${y + 12}H${Math.min(x(later.at), x(to))}` }));
}

function legend(explanation) {
  const causes = new Set(explanation.entitlements.flatMap((item) => item.candidates).flatMap((item) => item.ends.filter((end) => end.isDecisive)).map((end) => mark(end)));
  const words = [['┤', 'end'], ['✕', 'refunded or taken back'], ['↑', 'replaced by another product'], ['⇄', 'moved away']];
  return h('p', { class: 'legend' },
    h('span', {}, h('i', { class: 'swatch access' }), 'access'), h('span', {}, h('i', { class: 'swatch grantor' }), 'one grantor'),
    explanation.entitlements.some((item) => item.candidates.some((one) => decisive(one)?.cause === 'grace')) &&
      h('span', {}, h('i', { class: 'swatch grace' }), 'Apple’s grace period'),
    explanation.entitlements.some((item) => item.candidates.some((one) => otherwise(one, Number, 0, 0))) && h('span', {}, h('i', { class: 'swatch dotted' }), 'would have lasted'),
    words.filter(([sign]) => causes.has(sign)).map(([sign, word]) => h('span', {}, h('b', {}, sign), word)));
}

/** The picture; what it shows stands in words below it, too. `width` is what there is in pixels. */
export function timeline(explanation, width, now) {
  const knownAt = explanation.knownAt;
  const [from, to] = extent(explanation, knownAt);
  const isNarrow = width < 560;
  const left = isNarrow ? 4 : 190;
  const right = width - 12;
  const x = (at) => left + (Math.min(Math.max(at, from), to) - from) / (to - from) * (right - left);
  const lineHeight = isNarrow ? ROW + 13 : ROW;
  const content = [];
  let y = HEAD;
  const label = (text, kind) => s('text', { class: kind, x: isNarrow ? left : left - 10, y: isNarrow ? y + 4 : y + 16, 'text-anchor': isNarrow ? 'start' : 'end' }, text);
  for (const entitlement of explanation.entitlements) {
    content.push(label(entitlement.id, 'label'));
    if (isNarrow) y += 9;
    for (const [start, end] of entitlement.intervals) {
      const begin = x(start ?? -Infinity);
      content.push(s('rect', { class: 'access', x: begin, y: y + 4, width: Math.max(2, x(end ?? to) - begin), height: 16, rx: 3 },
        s('title', {}, `${entitlement.id}: access from ${time(start)} ${end === null ? 'for ever' : `to ${time(end)}`}`)));
    }
    y += isNarrow ? lineHeight - 9 : lineHeight;
    for (const row of rows(entitlement)) {
      content.push(label(row.label, 'label grantor'));
      if (isNarrow) y += 4;
      if (row.candidates.every((candidate) => !candidate.intervals.length)) {
        content.push(s('text', { class: 'label grantor', x: left, y: y + (isNarrow ? 16 : 16) }, state('nothing')[0]));
      }
      const starts = new Set(row.candidates.flatMap((candidate) => candidate.intervals.map(([start]) => start)));
      for (const candidate of row.candidates) {
        content.push(otherwise(candidate, x, y, to), ...candidate.intervals.map((interval) => segment(candidate, interval, starts.has(interval[1]), x, y, to)));
      }
      y += isNarrow ? lineHeight - 4 : lineHeight;
    }
    y += 8;
  }
  const bottom = y;
  const line = (at, text, kind, height) => {
    const place = x(at);
    const anchor = place > right - 70 ? 'end' : place < left + 70 ? 'start' : 'middle';
    return s('g', { class: `line ${kind}` }, s('path', { d: `M${place} ${HEAD - 8}V${bottom}` }),
      s('text', { x: place, y: height, 'text-anchor': anchor }, text));
  };
  const isPast = Math.abs(explanation.snapshot.asOf - now) > 60000;
  const grid = ticks(from, to, isNarrow ? 4 : 8).map(({ at, label: text }) => s('g', { class: 'tick' },
    s('path', { d: `M${x(at)} ${HEAD - 8}V${bottom}` }), s('text', { x: x(at), y: bottom + 15, 'text-anchor': 'middle' }, text)));
  const lines = [line(explanation.snapshot.asOf, isPast ? `as of ${time(explanation.snapshot.asOf)}` : 'now', 'now', 12)];
  if (knownAt !== null) lines.push(line(knownAt, `known ${time(knownAt)}`, 'known', bottom + 31));
  const words = explanation.entitlements.map((item) => item.headline).join(' ');
  return h('figure', { class: 'timeline' },
    s('svg', { viewBox: `0 0 ${width} ${bottom + FOOT}`, width, height: bottom + FOOT, role: 'img', 'aria-label': `Timeline. ${words}` },
      grid, content.filter(Boolean), lines),
    legend(explanation));
}
"""##),
        ("travel.js", ##"""
// Time travel: two sliders. "At" asks what was true then; "known at" leaves out what was learned later.

import { h } from './dom.js';
import { time } from './format.js';

const STEPS = 1000;

function slider(label, hint, from, to, value, onmove) {
  const range = h('input', { type: 'range', min: 0, max: STEPS, step: 1, 'aria-label': label, 'aria-describedby': `hint-${label.replaceAll(' ', '-')}` });
  const exact = h('input', { type: 'datetime-local', step: 1, 'aria-label': `${label}, exactly (UTC)` });
  const reset = h('button', { type: 'button', class: 'flat' }, 'now');
  const words = h('output', {});
  const now = Date.now();
  // The step nearest to now is now itself, and goes on with the time.
  const place = Math.round((now - from) / (to - from) * STEPS);
  let current = value;
  let quiet;
  const put = () => {
    range.value = Math.round(((current ?? now) - from) / (to - from) * STEPS);
    exact.value = new Date(current ?? Date.now()).toISOString().slice(0, 19);
    words.textContent = current === undefined ? 'now' : `${time(current)} UTC`;
    range.setAttribute('aria-valuetext', words.textContent);
    reset.disabled = current === undefined;
  };
  // A slider that is dragged asks once it rests.
  const moved = () => { put(); clearTimeout(quiet); quiet = setTimeout(onmove, 150); };
  range.addEventListener('input', () => {
    const chosen = Math.round(from + range.value / STEPS * (to - from));
    current = Number(range.value) === place ? undefined : chosen;
    moved();
  });
  exact.addEventListener('change', () => {
    const typed = Date.parse(`${exact.value}Z`);
    if (!Number.isNaN(typed)) { current = typed; moved(); }
  });
  reset.addEventListener('click', () => { current = undefined; moved(); range.focus(); });
  put();
  return {
    element: h('div', { class: 'slider' },
      h('div', {}, h('b', {}, label), ' ', words), range, h('div', { class: 'row' }, exact, h('span', { class: 'quiet' }, 'UTC'), reset),
      h('small', { id: `hint-${label.replaceAll(' ', '-')}` }, hint)),
    get value() { return current; },
    set value(next) { current = next; put(); },
  };
}

/** Both sliders. `onmove` gets `{ at, knownAt }`, undefined standing for now; `set` puts them somewhere and moves. */
export function travel(entries, content, point, onmove) {
  const now = Date.now();
  const first = Math.min(now - 3600000, ...entries.map((entry) => Math.min(entry.effectiveAt, entry.recordedAt)));
  const ends = content.entitlements.flatMap((item) => item.intervals.map(([, end]) => end)).filter((end) => end !== null);
  const last = Math.max(now, ...ends) + 86400000;
  const number = (text) => (text === undefined ? undefined : Number(text));
  const tell = () => onmove({ at: at.value, knownAt: knownAt.value });
  const at = slider('At', 'What was, or will be, true then.', first - 60000, last, number(point.at), tell);
  const knownAt = slider('Known at', 'Only what was known then: what the service said, and an agent saw.', first - 60000, now, number(point.knownAt), tell);
  const set = (to) => { at.value = to.at; knownAt.value = to.knownAt; tell(); };
  const element = h('section', { class: 'card travel', 'aria-label': 'Time travel' }, at.element, knownAt.element);
  return { element, set };
}
"""##),
        ("unclaimed.js", ##"""
// Purchases that nobody owns.

import { app } from './api.js';
import { dialog } from './dialog.js';
import { field, h, table } from './dom.js';
import { isAdmin, session } from './session.js';

function free() {
  dialog({
    title: 'Free a locked purchase', text: 'Its owner was erased. Once freed, the next who pushes it has it.', button: 'Free', isDangerous: true,
    fields: [field('Original transaction id', h('input', { name: 'id', required: true, maxlength: 64, autocomplete: 'off', spellcheck: 'false' }))],
    async send({ id, reason }) {
      await app('POST', `/lineages/${encodeURIComponent(id.trim())}/free`, { environment: session.environment, reason });
      return 'It may be claimed again.';
    },
  });
}

/** The page of unclaimed purchases; `after` in the address is the page to show. */
export async function unclaimed(_, { after }) {
  const page = await app('GET', '/unclaimed', { environment: session.environment, after, limit: 200 });
  return [
    h('h1', {}, 'Unclaimed purchases'),
    h('p', {}, `Purchases in ${session.environment} that belong to nobody: no token names a known account, and no device pushed them. They give nobody anything.`),
    h('section', { class: 'card' },
      page.unclaimed.length
        ? table('Unclaimed purchases', ['original transaction'], page.unclaimed.map((id) => [h('a', { class: 'id', href: `#/find/${id}` }, id)]))
        : h('p', {}, after ? 'There are no more.' : 'There are none.'),
      page.next && h('a', { href: `#/unclaimed?after=${encodeURIComponent(page.next)}` }, 'Next page')),
    isAdmin() && h('p', {}, h('button', { type: 'button', onclick: free }, 'Free a locked purchase…'))];
}
"""##),
    ]
}
