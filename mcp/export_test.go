package mcp

// ViaSDK passes every call to the SDK.
func ViaSDK(o *Options) { o.viaSDK = true }

// Tokens estimates the tokens of a text.
func Tokens(text []byte) int { return tokens(text) }
