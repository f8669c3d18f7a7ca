"""Words of which a workspace either speaks or has nothing to do with what they name."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from contextls.memory.index.words.plurals import singulars
from contextls.text.word_set import word_set

# Services, formats and tools. None of them is a word of English as well: "spark", "rails" and "vault" may mean anything.
_TECHNOLOGIES = word_set(
    """
    redis memcached kafka rabbitmq activemq zeromq amqp mqtt celery sidekiq resque kinesis sqs sns pubsub
    postgres postgresql mysql mariadb sqlite mongodb mongo mongoose cassandra dynamodb couchdb couchbase cockroachdb neo4j
    clickhouse influxdb leveldb rocksdb etcd zookeeper bigquery redshift snowflake databricks hadoop airflow duckdb flink
    hibernate sqlalchemy sequelize typeorm prisma activerecord
    elasticsearch opensearch solr lucene algolia pinecone
    kubernetes k8s kubectl docker podman containerd terraform ansible vagrant istio envoy traefik nginx haproxy
    aws azure gcp ec2 ecs eks s3 cloudfront cloudwatch cloudflare firebase firestore supabase heroku vercel netlify
    jwt oauth oauth2 openid oidc saml ldap kerberos totp webauthn auth0 okta cognito keycloak
    graphql grpc protobuf thrift avro parquet openapi swagger websocket webrtc quic smtp imap sftp
    grafana kibana prometheus opentelemetry datadog splunk statsd newrelic pagerduty bugsnag rollbar
    jenkins circleci gitlab bitbucket jira trello asana zendesk salesforce hubspot shopify magento woocommerce
    telegram whatsapp discord dropbox spotify youtube instagram linkedin gmail
    paypal braintree adyen klarna quickbooks twilio sendgrid mailgun mailchimp
    openai anthropic langchain huggingface tensorflow pytorch keras xgboost opencv numpy pandas
    webpack babel eslint django laravel symfony wordpress drupal angular svelte nextjs flutter
    bluetooth zigbee modbus nfc arduino dicom fhir
    """
)

# What software may be about. Words after the bar of a line have other meanings too: they speak of it where code is
# called so.
_SUBJECTS = """
    http2 hpack
    http3 qpack
    tls ssl x509 certificate | https cert
    hmac | signature
    webhook | hook
    invoice | bill
    refund chargeback
    payment | pay charge checkout
    stripe
    coupon voucher | promo discount
    tax vat
    payroll salary | wage
    purchase | buy
    wishlist
    basket | cart
    supplier
    warehouse
    shipment parcel courier | ship
    inventory | stock
    warranty
    auction
    donation
    mortgage | loan
    insurance
    currency | money
    appointment | booking
    itinerary
    luggage
    hotel
    airline
    restaurant
    recipe ingredient
    patient
    prescription
    medication
    student classroom homework
    teacher
    employee
    timesheet
    vacation
    landlord
    ballot voter
    tournament
    leaderboard scoreboard
    playlist podcast
    lyrics
    avatar | gravatar
    hashtag
    newsletter
    questionnaire | survey
    sms
    voicemail
    notification | notify alert
    reminder | remind
    captcha recaptcha
    spam
    sso | signon
    mfa | factor otp totp authenticator
    biometric
    csrf xsrf | forgery
    cors | origin
    firewall
    tenant | tenancy
    backoff | retry reattempt
    failover
    balancer
    sharding shard
    raft paxos
    autoscaler autoscaling
    cron crontab | schedule scheduler
    orm
    gpu cuda
    llm | gpt ollama
    chatbot | chat
    hyperparameter
    sentiment
    recommender | recommend recommendation
    blockchain bitcoin ethereum solidity | ledger
    thumbnail | thumb preview
    bitrate transcode transcoding ffmpeg
    subtitle | caption
    watermark
    barcode qrcode | qr
    ocr tesseract
    geocode geocoding geolocation | latitude coordinates gps
    weather
    thermostat humidity
    fitness workout calorie
    joystick gamepad
    shader opengl vulkan webgl | gl
    webcam | camera
    carousel | slider slideshow
    tooltip | hint popover title
    spinner | loader loading busy progress
    datepicker | calendar date
    crawler scraper | crawl scrape
    sitemap
    rss | feed atom
    pdf
    xlsx | spreadsheet excel
    hypervisor
    wasm webassembly
"""


class Subject(Struct, frozen=True):
    """The words that mean it anywhere, and those that mean it as names only, in lower case."""

    words: tuple[str, ...]
    as_names: tuple[str, ...] = ()


def find_subject(word: str) -> Subject | None:
    """Look up the subject that ``word`` names, in the singular or the plural; ``None`` if it is not in the tables."""
    name = word.lower().replace("/", "")
    return next((found for each in (name, *singulars(name)) if (found := known_subjects().get(each))), None)


@cache
def known_subjects() -> dict[str, Subject]:
    """Every subject, by each word that names it."""
    known = {name: Subject((name,)) for name in _TECHNOLOGIES}
    for line in _SUBJECTS.strip().splitlines():
        words, _, as_names = line.partition("|")
        known |= dict.fromkeys(words.split(), Subject(tuple(words.split()), tuple(as_names.split())))
    return known
