package mcp

// Indirect leaves every call to the SDK.
func Indirect(o *Options) { o.indirect = true }
