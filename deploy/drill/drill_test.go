//go:build drill

package drill

import "testing"

// Each drill has the house to itself.
func TestDrill(t *testing.T) {
	h := build(t)
	for _, drill := range []struct {
		name string
		run  func(t *testing.T)
	}{
		{"Isolation", h.drillIsolation},
		{"Authorization", h.drillAuthorization},
		{"Parsers", h.drillParsers},
		{"Endpoints", h.drillEndpoints},
		{"Kill", h.drillKill},
		{"PostgresStopped", h.drillPostgresStopped},
		{"RedisDead", h.drillRedisDead},
		{"Sick", h.drillSick},
		{"Deadlock", h.drillDeadlock},
		{"Terminate", h.drillTerminate},
		{"Rolling", h.drillRolling},
		{"AbusiveKey", h.drillAbusiveKey},
		{"WorstQuery", h.drillWorstQuery},
		{"Crowd", h.drillCrowd},
		{"SlowConnections", h.drillSlowConnections},
		{"Uploads", h.drillUploads},
		{"Files", h.drillFiles},
		{"Memory", h.drillMemory},
		{"Soak", h.drillSoak},
		{"Secrets", h.drillSecrets},
		{"Open", h.drillOpen},
	} {
		t.Run(drill.name, drill.run)
	}
}
