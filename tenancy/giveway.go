package tenancy

import "context"

type givingWay struct{}

// GiveWay marks what is done for ctx as to give way to others: a statement that reads many rows then rests now and then, and
// takes about twice its time, but no processor for long at once.
func GiveWay(ctx context.Context) context.Context { return context.WithValue(ctx, givingWay{}, true) }

// GivesWay reports whether ctx is marked so.
func GivesWay(ctx context.Context) bool { return ctx.Value(givingWay{}) != nil }
