package limit

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// reportScript adds what was taken to what all processes took, for many callers at once, and answers how far ahead of now
// each is, in microseconds. It never refuses: what it is told of has been done. The clock is Redis's own, so that those of the
// processes need not agree. A key lives until all that was taken has grown back. It needs all of Redis on one node.
var reportScript = redis.NewScript(`
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local ahead = {}
for i, key in ipairs(KEYS) do
	local due = tonumber(redis.call('GET', key) or now)
	if due < now then due = now end
	due = math.min(due + tonumber(ARGV[2 * i - 1]), now + tonumber(ARGV[2 * i]))
	redis.call('SET', key, string.format('%.0f', due), 'PX', math.floor((due - now) / 1000) + 1000)
	ahead[i] = math.floor(due - now)
end
return ahead`)

func report(ctx context.Context, client *redis.Client, batch []told) ([]time.Duration, error) {
	keys, args := make([]string, len(batch)), make([]any, 0, 2*len(batch))
	for i, t := range batch {
		keys[i] = t.caller.key
		// A caller cannot fall further behind than twice its burst, whatever many processes let through at once.
		args = append(args, (time.Duration(t.taken) * t.rate.emission()).Microseconds(), (2 * t.rate.full()).Microseconds())
	}
	answer, err := reportScript.Run(ctx, client, keys, args...).Int64Slice()
	if err != nil {
		return nil, fmt.Errorf("telling Redis what was taken: %w", err)
	}
	if len(answer) != len(batch) {
		return nil, fmt.Errorf("telling Redis what was taken: %d answers for %d callers", len(answer), len(batch))
	}
	ahead := make([]time.Duration, len(answer))
	for i, microseconds := range answer {
		ahead[i] = time.Duration(microseconds) * time.Microsecond
	}
	return ahead, nil
}
