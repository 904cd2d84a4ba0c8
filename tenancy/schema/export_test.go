package schema

// ViewKeys lists the known keys of a view's config.
func ViewKeys() []string { return knownViewKeys }
