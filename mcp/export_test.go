package mcp

// Indirect leaves every call to the SDK.
func Indirect(o *Options) { o.indirect = true }

// Tokens estimates the tokens of a text.
func Tokens(text []byte) int { return tokens(text) }
