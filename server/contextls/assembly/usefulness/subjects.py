"""Words of which a workspace either speaks or has nothing to do with what they name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from contextls.memory.index.terms import TermSplitter
from contextls.text.word_set import word_set

# Services, formats and tools. None of them is a word of English as well: "spark", "rails" and "vault" may mean anything.
TECHNOLOGIES = word_set(
    """
    redis memcached kafka rabbitmq activemq zeromq amqp mqtt celery sidekiq kinesis sqs sns pubsub
    postgres postgresql mysql mariadb sqlite mongodb mongo cassandra dynamodb couchdb couchbase cockroachdb neo4j clickhouse
    influxdb leveldb rocksdb etcd zookeeper bigquery redshift snowflake databricks hadoop airflow
    elasticsearch opensearch solr lucene
    kubernetes k8s kubectl docker podman containerd terraform ansible vagrant istio envoy traefik nginx haproxy
    aws azure gcp ec2 ecs eks s3 cloudfront cloudwatch cloudflare firebase supabase
    jwt oauth oauth2 openid oidc saml ldap kerberos totp webauthn auth0 okta cognito keycloak
    graphql grpc protobuf thrift avro parquet openapi swagger websocket websockets webrtc quic smtp imap
    grafana kibana prometheus opentelemetry datadog splunk statsd
    jenkins circleci gitlab bitbucket jira telegram paypal braintree twilio sendgrid mailgun
    tensorflow pytorch keras numpy pandas webpack babel eslint django laravel symfony wordpress drupal bluetooth nfc
    """
)

# What software may be about. Words behind the bar of a line have other meanings too: they speak of it where code is
# called so.
_SUBJECTS = """
    http2 hpack
    http3 qpack
    invoice | bill
    refund chargeback
    payment | pay charge checkout
    coupon voucher | promo discount
    payroll salary | wage
    shipment | ship
    currency | currencies money
    newsletter
    sms
    captcha recaptcha
    spam
    sso | signon
    mfa | factor otp totp authenticator
    csrf xsrf | forgery
    cors | origin
    firewall
    tenant | tenancy
    backoff | retry reattempt
    failover
    sharding shard
    raft paxos
    autoscaler autoscaling
    cron crontab | schedule scheduler
    orm
    gpu cuda
    llm llms | gpt openai anthropic ollama
    chatbot | chat
    blockchain bitcoin ethereum solidity | ledger
    thumbnail | thumb preview
    transcode transcoding ffmpeg | video
    subtitle | caption
    watermark
    barcode qrcode | qr
    ocr tesseract
    geocode geocoding geolocation | latitude coordinates gps
    shader opengl vulkan webgl | gl
    webcam | camera
    crawler scraper | crawl scrape
    sitemap
    rss | feed atom
    hypervisor
    jit
    wasm webassembly
"""


@dataclass(frozen=True, slots=True)
class Subject:
    """The words that speak of it wherever they stand, and those that do as names, in lower case."""

    words: tuple[str, ...]
    as_names: tuple[str, ...] = ()


def find_subject(word: str) -> Subject | None:
    """What ``word`` names in any of its forms; ``None`` where that is nothing known here."""
    return _by_stem().get(_stem(word))


@cache
def _by_stem() -> dict[str, Subject]:
    known = {name: Subject((name,)) for name in TECHNOLOGIES}
    for line in _SUBJECTS.strip().splitlines():
        words, _, as_names = line.partition("|")
        known |= dict.fromkeys(words.split(), Subject(tuple(words.split()), tuple(as_names.split())))
    return {_stem(name): subject for name, subject in known.items()}


def _stem(word: str) -> str:
    return "".join(term.text for term in TermSplitter().stems(word))
