package transfer

import "time"

// Leasing returns the same store with shorter leases.
func (s *Store) Leasing(lease time.Duration) *Store {
	return &Store{Options: s.Options, leaseTime: lease}
}
