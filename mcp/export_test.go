package mcp

import "time"

// ViaSDK passes every call to the SDK.
func ViaSDK(o *Options) { o.viaSDK = true }

// EagerProgress notifies clients of every step that lasts.
func EagerProgress(o *Options) { o.progressInterval = time.Millisecond }

// Tokens estimates the tokens of a text.
func Tokens(text []byte) int { return tokens(text) }
