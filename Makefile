# What a person may want of Rowhouse. `make` alone lists it.

GO ?= go
NPM ?= npm
LINT_VERSION := v2.15.0
GORELEASER_VERSION := v2.16.0
POCKETBASE_VERSION := v0.36.8

web := web/app
help := web/help
interop := interoptest
lint := bin/golangci-lint-$(LINT_VERSION)
goreleaser := bin/goreleaser-$(GORELEASER_VERSION)
local := deploy/local
tool := deploy/tool
typescript := clients/typescript
gotool := GOWORK=off $(GO) tool -modfile=$(tool)/go.mod
codegen = GOWORK=off $(GO) tool -modfile=$(CURDIR)/$(tool)/go.mod oapi-codegen
with := $(GO) run ./$(local)/with --

.DEFAULT_GOAL := help
.PHONY: help run test client bench bench-quick bench-growth bench-tenants bench-products bench-citus lint fmt build web clean reset services browser chaos scale clients sbom release screenshots help-pages always

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: services build ## Install what is missing and run Rowhouse here, with demonstration data, on http://127.0.0.1:8080
	@exec bin/rowhouse dev $(ARGS)

test: services browser build $(interop)/node_modules/.installed $(typescript)/node_modules/.installed ## Install what is missing and run every test
	@# One part that fails does not hide the others.
	@# Tests wait much of their time, so that three at once use two processors. `make lint` vets.
	export ROWHOUSE_BINARY=$(CURDIR)/bin/rowhouse; failed=; \
	$(with) $(GO) test -vet=off -ldflags=-w -p 3 -timeout 15m ./... ./bench/... ./clients/go/... || failed="$$failed go"; \
	(cd $(web) && $(NPM) test) || failed="$$failed unit"; \
	(cd $(web) && $(NPM) run e2e) || failed="$$failed browser"; \
	test -z "$$failed" || { echo "failed:$$failed tests" >&2; exit 1; }

bench: services browser build bin/baseline $(interop)/node_modules/.installed ## Measure, on this machine: the record engine beside a hand-written baseline, computed fields, the authorization server, the application in a browser
	$(GO) run ./bench/record -report docs/benchmarks/record.md $(ARGS)
	$(GO) run ./bench/computed -report docs/benchmarks/computed.md
	$(GO) run ./bench/oauth
	$(with) $(GO) test -run '^$$' -bench . ./bench/mcp
	$(with) $(GO) test -count=1 -run 'Tasks|ToolLists' -v ./mcp/conformance -task.rows 200000
	$(with) $(GO) test -run '^$$' -bench . -benchtime 1x -timeout 1h ./bench/sql
	cd $(web) && ROWHOUSE_BINARY=$(CURDIR)/bin/rowhouse REPORT=$(CURDIR)/docs/benchmarks/web.md $(NPM) run bench

chaos: services browser build ## Break a running service on purpose and count what is lost (SOAK=1h for the long soak)
	$(GO) test -tags chaos -count=1 -timeout 3h -v ./deploy/chaos $(ARGS) -soak $(or $(SOAK),2m)
	deploy/backup/rehearse.sh
	cd $(web) && ROWHOUSE_BINARY=$(CURDIR)/bin/rowhouse SEED=$(or $(SEED),random) ACTIONS=$(or $(ACTIONS),2000) $(NPM) run e2e -- e2e/gridmodel.test.ts

scale: ## Run the Go tests, and a drill, on Citus: a coordinator and two workers (CITUS=<folder of a PostgreSQL with Citus>)
	@test -n "$(CITUS)" || { echo "make scale needs CITUS=<folder>: an installation of PostgreSQL with the extension Citus (lib/postgresql/*/lib/citus.so below it)" >&2; exit 2; }
	$(MAKE) services browser build $(interop)/node_modules/.installed
	$(GO) run ./$(local)/with -citus $(CITUS) -- $(GO) test -p 2 -count=1 -timeout 30m ./...
	CITUS=$(abspath $(CITUS)) $(GO) test -tags scale -count=1 -timeout 15m -v ./deploy/scale

clients: services build $(interop)/client/node_modules/.installed ## Have many versions of MCP clients list and call tools, and the MCP Inspector judge them
	cd $(interop)/client && node_modules/.bin/node check.mjs

bench-quick: services bin/rowhouse bin/baseline ## The record engine alone, with few records, in a minute
	$(GO) run ./bench/record -rows 10000 -cell 400ms -rounds 2 -settle 10s $(ARGS)

bench-growth: services bin/rowhouse ## A million records beside a hundred thousand, in turns
	$(GO) run ./bench/record -rows 1000000 -beside 100000 -only 'page of 100|^get$$|^filter|^two|^search|cursor' -settle 3m $(ARGS)

bench-tenants: services bin/rowhouse ## The record engine beside 10,000 tables of 1,000 other organizations
	$(GO) run ./bench/record -rows 10000 -tables 10000 -cell 3s -rounds 2 -settle 20s $(ARGS)

bench-products: services bin/rowhouse bin/pocketbase ## The record engine beside PocketBase, and beside NocoDB when NOCODB is the directory of an installation
	$(GO) run ./bench/record -against pocketbase -cell 1.6s -rounds 2 -settle 30s $(ARGS)
	$(if $(NOCODB),$(GO) run ./bench/record -against nocodb -nocodb $(NOCODB) -cell 1.6s -rounds 2 -settle 30s $(ARGS))
	$(if $(NOCODB),$(GO) run ./bench/record -against nocodb -nocodb $(NOCODB) -computed -cell 3s -rounds 2 -settle 30s $(ARGS))

bench-citus: services bin/rowhouse ## The record engine on Citus beside one PostgreSQL (CITUS as for make scale)
	$(GO) run ./bench/record -citus $(CITUS) -rows 10000 -only '^page of 100|^get$$|^filter|^search|^create 1$$|^update 1$$' -settle 30s $(ARGS)

client: $(typescript)/generate/node_modules/.installed ## Generate the types of the client libraries, after `go test ./api -run ClientDocument -update`
	cd clients/go && $(codegen) -config oapi-codegen.yaml -o types.gen.go ../openapi.json
	GOWORK=off $(GO) run ./clients/python/generate clients/openapi.json clients/python/rowhouse/schema.py
	$(typescript)/generate/node_modules/node-linux-*/bin/node $(typescript)/generate/generate.mjs

screenshots: browser web/app/node_modules/.installed ## Take the README's screenshots, with `make run` in another terminal
	cd $(web) && node dev/screenshot.mjs

sbom: build $(tool)/node_modules/.installed ## List what the binary is made of, in bin/rowhouse.cdx.json, bin/app.cdx.json and bin/help.cdx.json (CycloneDX)
	$(gotool) cyclonedx-gomod bin -json -std -noserial -output-version 1.6 -output bin/rowhouse.cdx.json bin/rowhouse
	for part in app help; do (cd web/$$part && $(CURDIR)/$(tool)/node_modules/.bin/cyclonedx-npm --omit dev --package-lock-only \
		--output-reproducible --spec-version 1.6 --output-file $(CURDIR)/bin/$$part.cdx.json) || exit 1; done

release: $(goreleaser) ## Build what people install to use a service, in bin/release: archives, .deb and npm packages, with checksums and lists of parts; publishes nothing
	ROOT=$(CURDIR) $(goreleaser) release --clean --config deploy/release/goreleaser.yaml \
		$(if $(shell git describe --exact-match --tags --exclude 'clients/*' 2>/dev/null),--skip=publish,--snapshot)
	node deploy/release/npm.mjs bin/release

lint: $(lint) web $(tool)/node_modules/.installed $(typescript)/node_modules/.installed ## Look for mistakes, forbidden imports and untidy code
	$(lint) run --allow-parallel-runners --build-tags chaos,scale ./... ./bench/... ./clients/go/... ./deploy/chaos/...
	$(lint) fmt --diff
	unused=$$($(gotool) deadcode ./...) && ! echo "$$unused" | grep unreachable | grep -v -e 'test/' -e '^clients/'
	cd clients/go && $(codegen) -config oapi-codegen.yaml -o $(CURDIR)/bin/types.gen ../openapi.json && diff types.gen.go $(CURDIR)/bin/types.gen
	cd $(typescript) && $(NPM) run check && $(NPM) run lint
	$(tool)/node_modules/.bin/pyright -p clients/python
	for module in . bench clients/go deploy/chaos deploy/tool; do GOWORK=off $(GO) -C $$module mod tidy -diff || exit 1; done
	$(if $(wildcard $(web)/package.json),cd $(web) && $(NPM) run check)

fmt: $(lint) ## Format the code
	$(lint) fmt

build: web help-pages bin/rowhouse ## Build the web application, the help and the binary, bin/rowhouse

clean: ## Remove what was built and the test data, not the data of `make run`
	$(local)/remove.sh .rowhouse/test
	rm -rf bin $(web)/node_modules $(help)/node_modules $(help)/.vitepress/cache $(help)/.vitepress/dist $(interop)/node_modules $(interop)/client/node_modules $(tool)/node_modules \
		$(typescript)/node_modules $(typescript)/generate/node_modules $(typescript)/dist $(typescript)/build
	find $(web)/dist $(help)/dist -mindepth 1 ! -name .gitkeep -delete 2>/dev/null || true

reset: ## Remove the data of `make run`, to begin anew
	$(local)/remove.sh .rowhouse/test
	$(local)/remove.sh .rowhouse

services:
	@$(local)/install.sh postgres redis

browser:
	@$(local)/install.sh chromium headless emoji

# With the versions of the product's own go.mod. The workspace (go.work) adds the modules bench and deploy/chaos.
bin/rowhouse: always
	GOWORK=off $(GO) build -o $@ ./cmd/rowhouse

# The client alone, for machines that run no service.
bin/rowhouse-client: always
	GOWORK=off CGO_ENABLED=0 $(GO) build -trimpath -ldflags="-s -w" -o $@ ./cmd/rowhouse-client

bin/baseline: always
	$(GO) build -o $@ ./bench/baseline

# MIT. It is measured, and no part of what is built.
bin/pocketbase:
	GOBIN=$(CURDIR)/bin $(GO) install github.com/pocketbase/pocketbase/examples/base@$(POCKETBASE_VERSION)
	mv bin/base $@

$(lint):
	GOBIN=$(CURDIR)/bin $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)
	mv bin/golangci-lint $@

# A tool of its own: its 380 modules would be in the way of the other tools'.
$(goreleaser):
	GOBIN=$(CURDIR)/bin $(GO) install github.com/goreleaser/goreleaser/v2@$(GORELEASER_VERSION)
	mv bin/goreleaser $@

always:

# The web application is built anew when one of its sources is newer than its last build.
ifneq ($(wildcard $(web)/package.json),)
web: $(web)/node_modules/.built

$(web)/node_modules/.built: $(web)/node_modules/.installed $(shell find $(web) -type f -not -path '$(web)/node_modules/*' -not -path '$(web)/dist/*')
	cd $(web) && $(NPM) run build
	@touch $@

$(web)/node_modules/.installed: $(web)/package.json $(web)/package-lock.json
	cd $(web) && $(NPM) ci --no-audit --no-fund
	@touch $@
else
web:
endif

# So are the pages at /help, when a page of docs/ or what builds them is newer.
help-pages: $(help)/node_modules/.built

$(help)/node_modules/.built: $(help)/node_modules/.installed $(shell find docs $(help) -type f -not -path '$(help)/node_modules/*' -not -path '$(help)/dist/*' -not -path '$(help)/.vitepress/cache/*' -not -path '$(help)/.vitepress/dist/*')
	cd $(help) && $(NPM) run build
	@touch $@

# Third-party clients that tests run, with the Node.js that they need, and the tool that lists npm packages.
$(help)/node_modules/.installed $(interop)/node_modules/.installed $(interop)/client/node_modules/.installed $(tool)/node_modules/.installed \
$(typescript)/node_modules/.installed $(typescript)/generate/node_modules/.installed: %/node_modules/.installed: %/package.json %/package-lock.json
	cd $* && $(NPM) ci --no-audit --no-fund
	@touch $@
