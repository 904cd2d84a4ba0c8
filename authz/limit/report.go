package limit

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// reportScript adds consumption to the shared state of many callers and returns, for each, how far
// its TAT lies ahead of now, in microseconds. It never rejects, because the reported requests have
// already been served. It uses the clock of Redis, so the clocks of the processes need not agree. A
// key expires when everything consumed has been replenished. All keys must be on one Redis node.
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

func report(ctx context.Context, client *redis.Client, batch []usageReport) ([]time.Duration, error) {
	keys, args := make([]string, len(batch)), make([]any, 0, 2*len(batch))
	for i, t := range batch {
		keys[i] = t.caller.key
		// The TAT lies at most two bursts ahead, however much the processes allowed together.
		args = append(args, (time.Duration(t.taken) * t.rate.emissionInterval()).Microseconds(),
			(2 * t.rate.burstWindow()).Microseconds())
	}
	answer, err := reportScript.Run(ctx, client, keys, args...).Int64Slice()
	if err != nil {
		return nil, fmt.Errorf("reporting to Redis: %w", err)
	}
	if len(answer) != len(batch) {
		return nil, fmt.Errorf("reporting to Redis: %d results for %d callers", len(answer), len(batch))
	}
	ahead := make([]time.Duration, len(answer))
	for i, microseconds := range answer {
		ahead[i] = time.Duration(microseconds) * time.Microsecond
	}
	return ahead, nil
}
