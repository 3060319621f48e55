"""The client of the Order Marketplace Service: `Marketplace`, and `AsyncMarketplace` with the same methods."""

from . import models
from ._async.client import AsyncMarketplace
from ._feed import FeedEvent, key_of
from ._sync.client import Marketplace
from ._version import VERSION as __version__
from ._wire import encode
from .errors import Fault, MarketplaceError, NoAnswerError
from .money import Money
from .replies import File, Reply
from .retry import Retry
from .states import is_parked, is_terminal
from .webhooks import WebhookFault, verify_webhook

__all__ = [
    "AsyncMarketplace",
    "Fault",
    "FeedEvent",
    "File",
    "Marketplace",
    "MarketplaceError",
    "Money",
    "NoAnswerError",
    "Reply",
    "Retry",
    "WebhookFault",
    "__version__",
    "encode",
    "is_parked",
    "is_terminal",
    "key_of",
    "models",
    "verify_webhook",
]
