import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  chartFolder,
  renderChart,
  tryValues,
  type Manifest,
  type Rendering,
} from '../../deploy/check/chart.ts';
import { readCompose } from '../../deploy/check/compose.ts';
import { listProcesses } from '../../deploy/check/processes.ts';
import { projectRoot } from '../../deploy/local/root.ts';
import { splitHosts } from '../../libs/config/hosts.ts';
import { componentOf, podsOf, specOf, type Budget, type Rollout, type Scaled } from './support/manifests.ts';

const HIGHLY_AVAILABLE = ['highly-available.yaml', 'autoscaled.yaml'];

describe('the shapes of the chart', () => {
  let renderings: Rendering[];

  before(async () => {
    renderings = await renderChart();
  });

  const ofKind = ({ manifests }: Rendering, kind: string): Manifest[] =>
    manifests.filter((one) => one.kind === kind);

  /** The smallest number of a Deployment's pods: its own, or the minimum of its autoscaler. */
  const countOf = (rendering: Rendering, deployment: Manifest): number => {
    const { replicas } = specOf(deployment) as Rollout;
    const scaler = ofKind(rendering, 'ScaledObject').find(
      (one) => componentOf(one) === componentOf(deployment),
    );
    return replicas ?? (scaler ? (specOf(scaler) as Scaled).minReplicaCount : 0);
  };

  const highlyAvailable = (): Rendering[] => {
    const chosen = renderings.filter(({ variant }) => HIGHLY_AVAILABLE.includes(variant));
    expect(chosen).to.have.length(HIGHLY_AVAILABLE.length);
    return chosen;
  };

  it('the single shape has one of each process', () => {
    for (const rendering of renderings.filter(({ variant }) => variant === 'defaults'))
      for (const deployment of ofKind(rendering, 'Deployment'))
        expect(countOf(rendering, deployment), deployment.metadata.name).to.equal(1);
  });

  it('no process of the highly available shape has a single replica', async () => {
    for (const rendering of highlyAvailable())
      for (const deployment of ofKind(rendering, 'Deployment'))
        expect(countOf(rendering, deployment), deployment.metadata.name).to.be.at.least(2);
    for (const single of [
      'api.replicas=1',
      'settings.replicas=1',
      'keyMaintenance.replicas=1',
      'connectors.repo-host.replicas=1',
      'autoscaling.minReplicas=1',
      'disruption.enabled=false',
    ]) {
      const { code, output } = await tryValues(['shape=highlyAvailable', single]);
      expect(code, `${single}: ${output}`).to.not.equal(0);
    }
  });

  it('two of a process never share a node while another node takes pods', () => {
    for (const rendering of highlyAvailable())
      for (const deployment of ofKind(rendering, 'Deployment')) {
        const pod = podsOf(deployment);
        const [nodes, zones] = pod?.topologySpreadConstraints ?? [];
        expect(nodes).to.include({ topologyKey: 'kubernetes.io/hostname', maxSkew: 1 });
        expect(nodes?.whenUnsatisfiable).to.equal('DoNotSchedule');
        expect(zones).to.include({ topologyKey: 'topology.kubernetes.io/zone', maxSkew: 1 });
        for (const constraint of [nodes, zones]) {
          expect(pod?.labels).to.include(constraint?.labelSelector.matchLabels);
          expect(constraint?.matchLabelKeys, 'the revision that is replaced does not count').to.deep.equal([
            'pod-template-hash',
          ]);
          expect(constraint?.nodeTaintsPolicy, 'a drained node does not count').to.equal('Honor');
        }
      }
  });

  it('a disruption budget never forbids the drain of the only replica', () => {
    let checked = 0;
    for (const rendering of renderings)
      for (const budget of ofKind(rendering, 'PodDisruptionBudget')) {
        const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy } = specOf(budget) as Budget;
        const deployment = ofKind(rendering, 'Deployment').find(
          (one) => componentOf(one) === componentOf(budget),
        );
        const count = deployment ? countOf(rendering, deployment) : 0;
        expect(minAvailable).to.equal(undefined);
        expect(maxUnavailable, 'one may always go').to.be.at.least(1);
        if (count > 1) expect(count - maxUnavailable, 'one always stays').to.be.at.least(1);
        expect(unhealthyPodEvictionPolicy, 'one that is not ready may go').to.equal('AlwaysAllow');
        checked += 1;
      }
    expect(checked).to.be.above(20);
  });

  it('an upgrade never has fewer ready pods of a process than before', () => {
    for (const rendering of renderings)
      for (const deployment of ofKind(rendering, 'Deployment')) {
        const { strategy, minReadySeconds } = specOf(deployment) as Rollout;
        expect(strategy.rollingUpdate).to.deep.equal({ maxUnavailable: 0, maxSurge: 1 });
        expect(minReadySeconds).to.be.above(0);
      }
  });

  it('every probe of every process states its limits', () => {
    for (const rendering of renderings)
      for (const { startupProbe, livenessProbe, readinessProbe } of ofKind(rendering, 'Deployment').flatMap(
        (one) => podsOf(one)?.containers ?? [],
      ))
        for (const probe of [startupProbe, livenessProbe, readinessProbe])
          for (const limit of [probe?.periodSeconds, probe?.timeoutSeconds, probe?.failureThreshold])
            expect(limit).to.be.above(0);
  });

  it('the default shape is the one that the documentation calls so', () => {
    const values = readFileSync(join(chartFolder, 'values.yaml'), 'utf8');
    expect(values).to.match(/^shape: single$/m);
    const guide = readFileSync(join(projectRoot, 'docs/high-availability.md'), 'utf8');
    expect(guide).to.contain('--set shape=highlyAvailable').and.to.contain('-f deploy/compose.ha.yaml');
  });
});

describe('the compose file of the highly available shape', () => {
  const single = readCompose('compose.yaml');
  const { services } = readCompose('compose.ha.yaml');
  const nodesOf = (program: string): string[] =>
    Object.keys(services).filter((name) => new RegExp(`^${program}(-\\d)?$`).test(name));

  it('the file starts two of each process', () => {
    const twice = Object.entries(services).filter(([, { deploy }]) => deploy?.replicas === 2);
    const started = twice.flatMap(([name]) => single.services[name]?.command ?? []);
    expect(started.sort()).to.deep.equal(listProcesses());
  });

  it('the file names all nodes of Postgres and RabbitMQ to every process and command', () => {
    const reached = Object.entries(services).filter(([, { environment }]) => environment?.['DATABASE_URL']);
    expect(reached.map(([name]) => name)).to.include.members(['migrate', 'bootstrap', 'api']);
    expect(reached).to.have.length(listProcesses().length + 2);
    for (const [name, { environment = {} }] of reached)
      for (const [variable, program] of [
        ['DATABASE_URL', 'postgres'],
        ['AMQP_URL', 'rabbitmq'],
      ] as const) {
        // Replaces compose's variables, because a URL cannot contain braces.
        const url = (environment[variable] ?? '').replaceAll(/\$\{[^}]*\}/g, 'password');
        const hosts = splitHosts(url)?.map((one) => new URL(one).hostname);
        expect(hosts, `${variable} of ${name}`).to.deep.equal(nodesOf(program));
        expect(hosts).to.have.length(3);
      }
  });

  it('the nodes of RabbitMQ find each other, and one without a majority stops', () => {
    const settings = readFileSync(join(projectRoot, 'deploy/container/rabbitmq-cluster.conf'), 'utf8');
    const names = [...settings.matchAll(/nodes\.\d = rabbit@(\S+)/g)].map(([, name]) => name);
    expect(names).to.deep.equal(nodesOf('rabbitmq'));
    for (const name of nodesOf('rabbitmq')) expect(services[name]?.hostname).to.equal(name);
    expect(settings).to.match(/^cluster_partition_handling = pause_minority$/m);
  });

  it('the servers of Postgres know each other, and none shares its data with the single shape', () => {
    for (const name of nodesOf('postgres')) {
      expect(services[name]?.hostname).to.equal(name);
      expect(services[name]?.environment?.['POSTGRES_NODES']).to.equal(nodesOf('postgres').join(' '));
      const [data] = services[name]?.volumes ?? [];
      expect(data).to.match(/^postgres-\d:/);
      expect(single.services['postgres']?.volumes).to.not.include(data);
    }
  });
});
