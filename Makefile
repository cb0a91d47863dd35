# Every target does its own set-up. `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
BIN := node_modules/.bin
# Passed through the environment, because a title may contain any character.
export TESTS GREP JOBS ONE

# Everything runs on the version of Node.js that .node-version names, or on a newer one: where the machine's own is older,
# npm brings one into .local/. Another version, as in make test NODE=26, must be newer than the machine's.
NODE ?= $(shell cat .node-version)
ifneq ($(shell node -p 'process.versions.node.split(".", 1)[0] >= $(NODE)' 2>/dev/null),true)
# The package of the platform has the program; the package `node` would fetch that with an install script, which npm 12 blocks.
NODE_SYSTEM := $(shell uname -s | tr 'A-Z' 'a-z')-$(patsubst x86_64,x64,$(patsubst aarch64,arm64,$(shell uname -m)))
NODE_PACKAGE := node-$(if $(filter darwin-arm64,$(NODE_SYSTEM)),bin-)$(NODE_SYSTEM)
OWN_NODE := $(CURDIR)/.local/node/$(NODE)/node_modules/$(NODE_PACKAGE)/bin/node
export PATH := $(dir $(OWN_NODE)):$(PATH)

$(OWN_NODE):
	@command -v npm >/dev/null || { echo 'npm is needed; it comes with Node.js: https://nodejs.org' >&2; exit 1; }
	@echo 'Bringing Node.js $(NODE) into .local/ …'
	@npm install --prefix .local/node/$(NODE) --no-save --no-audit --no-fund --loglevel=error $(NODE_PACKAGE)@$(NODE)
endif

# The compiler and the linter are Go programs that end before a collection of their garbage pays: half the time, as much memory.
export GOGC ?= off
# Rust's allocator in bundler and formatter would give freed memory back at once, which takes a fifth of the time of a bundle.
export MIMALLOC_PURGE_DELAY ?= -1

# A program or a console whose build failed halfway must not count as built.
.DELETE_ON_ERROR:

.PHONY: help install build compile check-fast check test screenshots bench faults mutants attack up down demo dev clean job

help: ## Show the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

install: node_modules/.package-lock.json ## Install Node.js and the npm packages, where missing or outdated

node_modules/.package-lock.json: package-lock.json | $(OWN_NODE)
	@command -v npm >/dev/null || { echo 'npm is needed; it comes with Node.js: https://nodejs.org' >&2; exit 1; }
	npm ci
	@touch $@

build: compile ## Compile and bundle to dist/
	@$(MAKE) --no-print-directory --silent dist/programs/cli/main.js dist/console/index.html

# Without the programs and the console.
compile: $(OWN_NODE) install
	@# What was compiled from a file that is gone would still be run.
	@if [ -d dist ]; then find dist \( -path dist/console -o -path dist/programs \) -prune -o -name '*.js' -print | while read -r file; do \
	  source="$${file#dist/}"; [ -f "$${source%.js}.ts" ] || rm -f "$$file" "$$file.map"; done; fi
	$(BIN)/tsc -p tsconfig.json

dist/programs/cli/main.js: deploy/bundle.ts package-lock.json $(shell find services libs -path services/console -prune -o -name '*.ts' -print 2>/dev/null)
	node deploy/bundle.ts
	@# npx makes the command line executable only when it first meets this folder. Only what has changed is bundled anew.
	@chmod +x $@ && touch $@

dist/console/index.html: $(shell find services/console services/api/contract libs/telling -type f 2>/dev/null) package-lock.json
	$(BIN)/vite build services/console

check-fast: compile ## Types, lint and architecture: the part of check for every save, in half a minute
	@printf '%s\n' 'npm run --silent check:lint' \
	  '$(BIN)/tsc -p services/console/tsconfig.json && npm run --silent check:architecture -- --reporter dot' | \
	  xargs -P 2 -I {} sh -c '{}'

check: build ## Types, format, lint, dead code, import rules
	@# Two at a time: most of them use one processor.
	@node -p "Object.keys(require('./package.json').scripts).filter((name) => name.startsWith('check:')).join('\n')" | \
	  xargs -P 2 -I {} sh -c 'npm run --silent {} && echo "{}: passed" || { echo "{}: FAILED"; exit 1; }'

test: build ## All tests, against a private Postgres and RabbitMQ; TESTS=tokens: part of a path, GREP=: of a title; JOBS=4: files at once, 2 or more
	@# The tests start some hundred processes of the same programs: each finds the code compiled that an earlier one left.
	@# Mocha would load a lone job's files in one process, where they meet each other's databases.
	@[ "$${JOBS:-2}" -ge 2 ] || { echo 'JOBS must be 2 or more.' >&2; exit 2; }
	@set -f; files=$$(node dist/test/support/select.js) && \
	  NODE_COMPILE_CACHE=$(CURDIR)/.local/compile-cache NODE_OPTIONS="--enable-source-maps $$NODE_OPTIONS" \
	  $(BIN)/mocha $${JOBS:+--jobs "$$JOBS"} $${GREP:+--fgrep "$$GREP"} $$files

screenshots: build ## Renew the pictures of the console in docs/images from its tests
	@$(MAKE) --no-print-directory test TESTS=console/pictures GREP='the overview has its picture'
	@mkdir -p docs/images && cp .local/artifacts/console-light.png .local/artifacts/console-dark.png docs/images/

faults: build ## Break everything under load and prove that nothing is lost; SEED=, SECONDS=, FAULTS=, CLUSTER=1, ONE=1, STORE=1, or LOAD=1, or UPGRADE=1 FROM=
	@node --enable-source-maps dist/test/faults/$(if $(LOAD),run-load,$(if $(UPGRADE),upgrade/run,run)).js

mutants: build ## Take guards out of the source one by one; the tests must notice each: ONLY=part of a name
	@ONLY='$(ONLY)' node --enable-source-maps dist/test/mutants/run.js

bench: build ## What it costs, beside what it is compared with: make bench ARGS='--quick --only latency'
	@node dist/bench/run.js $(ARGS)

attack: build ## A longer attack on every route: make attack ATTACK_SECONDS=300 ATTACK_SEED=7
	@ATTACK_SECONDS="$(or $(ATTACK_SECONDS),120)" ATTACK_SEED="$(or $(ATTACK_SEED),$(shell date +%s))" \
	  $(MAKE) --no-print-directory test TESTS=test/attack/

up: build ## Start the service in the background and wait until it is ready; ONE=1: all of it in one process
	@node dist/deploy/local/up.js

down: ## Stop everything that up or demo started; the data stay
	@[ -f dist/deploy/local/down.js ] || $(MAKE) --no-print-directory build
	@node dist/deploy/local/down.js

demo: build ## Start the service with stand-ins for the stores, and show what it does
	@node dist/deploy/local/demo.js

dev: build ## Like demo, without the story: compiles each change and restarts what it affects, until Ctrl-C
	@node dist/deploy/local/dev.js

job: build ## Run a maintenance job now: make job NAME=rotate-signing-key, ARGS=--replay for dead-letters
	@# Of the running local installation, unless the environment names another.
	@if [ -z "$$DATABASE_URL" ] && [ -f .local/env ]; then set -a; . ./.local/env; set +a; fi; \
	  node dist/programs/cli/main.js job $(NAME) $(ARGS)

clean: down ## Stop everything and remove what was built; the data stay in .local/
	rm -rf dist coverage .local/test
