"""Every operation of /v1. Made from docs/openapi.json by make/make.py: do not edit it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Literal, overload

from .. import models
from .._wire import RawBody, new_key, read, read_file, segment
from ..replies import File
from ._io import Content
from .transport import Transport


class Operations(Transport):
    """A method for each operation, named after it."""

    def publish_catalog(
        self, body: models.CatalogUpdate | RawBody, *, dry_run: bool = False, if_match: str | None = None
    ) -> models.CatalogReply:
        """Publish products.

        Merges products into the seller's catalog by product_id; it never deletes one: send status withdrawn to stop selling it.
        Each product is checked on its own: faulty ones are listed in errors and the others are stored. Sending the same body
        again changes nothing. A conflict between products refuses the whole request, and a catalog.integrity_failed event
        follows to the seller. Sellers call it with the scope catalog:write.

        dry_run: true: replies 200 with what would happen, and writes nothing.
        if_match: The basis of the dry run. If what the publish replaces has changed since, the reply is 409 CONFLICT.
        """
        received = self._send(
            "PUT", "/me/catalog", repeatable=True, query={"dry_run": dry_run or None}, headers={"If-Match": if_match}, body=body
        )
        return read(received, models.CatalogReply)

    def get_own_catalog(self) -> models.CatalogRead:
        """Get your own catalog.

        Returns every product that the seller has published, withdrawn products and external_ref included, with the values that
        no rate entry prices in unpriced. It is not filtered by what buyers may see. Sellers call it with the scope
        catalog:read.
        """
        received = self._send("GET", "/me/catalog", repeatable=True)
        return read(received, models.CatalogRead)

    def publish_rate_card(
        self, body: models.RateCardCommit | RawBody, *, dry_run: bool = False, if_match: str | None = None
    ) -> models.RateCardReply:
        """Publish a rate card commit.

        Publishes one named version of the rate card and gives every entry one price per ISO week, each with its own
        locked_rate_id. Faulty entries are listed in errors and the others are stored; orders already placed keep their prices.
        The same name with the same bytes replays the stored reply, unless an entry that it refused passes now; other bytes may
        complete what was refused, and are 409 CONFLICT, with details.entries, if they would change what was published. Buyers
        receive catalog.rate_card_published, and catalog.window_opened when a window opens. Sellers call it with the scope
        catalog:write.

        dry_run: true: replies 200 with what would happen, and writes nothing.
        if_match: The basis of the dry run. If what the publish replaces has changed since, the reply is 409 CONFLICT.
        """
        received = self._send(
            "PUT", "/me/rate-cards", repeatable=True, query={"dry_run": dry_run or None}, headers={"If-Match": if_match}, body=body
        )
        return read(received, models.RateCardReply)

    def list_rate_cards(self, *, limit: int | None = None, cursor: str | None = None) -> models.RateCardList:
        """List your own rate card commits.

        Returns the seller's commits, newest first, with their effective dates. Entries are not included: read one commit for
        them. Sellers call it with the scope catalog:read.

        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/me/rate-cards", repeatable=True, query={"limit": limit, "cursor": cursor})
        return read(received, models.RateCardList)

    def iter_rate_cards(self, *, limit: int | None = None) -> Iterator[models.RateCardListItem]:
        """Each of `list_rate_cards`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_rate_cards(limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_rate_card(self, commit: str, *, limit: int | None = None, cursor: str | None = None) -> models.RateCardRead:
        """Get one rate card commit.

        Returns the entries of one of the seller's own commits, one per price and ISO week, with the locked_rate_id that order
        lines cite. Large commits are read page by page. Sellers call it with the scope catalog:read.

        commit: The name of the commit.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", f"/me/rate-cards/{segment(commit)}", repeatable=True, query={"limit": limit, "cursor": cursor})
        return read(received, models.RateCardRead)

    def iter_rate_card(self, commit: str, *, limit: int | None = None) -> Iterator[models.RateCardReadEntry]:
        """Each of `get_rate_card`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.get_rate_card(commit, limit=limit, cursor=cursor)
            for item in page.entries:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def diff_rate_card(
        self, commit: str, *, limit: int | None = None, cursor: str | None = None, against: str | None = None
    ) -> models.RateCardDiff:
        """Compare two rate card commits.

        Returns what one commit prices unlike another, by key and ISO week, with the number of prices that were added, changed,
        removed or left alike. A commit prices only the keys that it names, so a removed price may still be in force. Large
        differences are read page by page. Sellers call it with the scope catalog:read.

        commit: The name of the commit.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        against: The commit to compare with; the one before it in its scope if omitted, the open card or its agreement.
        """
        received = self._send(
            "GET", f"/me/rate-cards/{segment(commit)}/diff", repeatable=True, query={"limit": limit, "cursor": cursor, "against": against}
        )
        return read(received, models.RateCardDiff)

    def iter_diff_rate_card(
        self, commit: str, *, limit: int | None = None, against: str | None = None
    ) -> Iterator[models.RateCardDiffItem]:
        """Each of `diff_rate_card`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.diff_rate_card(commit, limit=limit, against=against, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_rates(
        self, *, product_id: str, weeks: str | Sequence[str], limit: int | None = None, cursor: str | None = None
    ) -> models.RatesRead:
        """Get your prices in force.

        Returns the price in force of each key of one product in the given weeks, with the commit that it is from, of the open
        card and of every agreement. Quotes for one buyer are not included. It can be read page by page. Sellers call it with
        the scope catalog:read.

        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        product_id: The id of the product whose prices are read.
        weeks: ISO weeks and ranges of them, separated by commas: 2026-W50,2027-W01..2027-W04.
        """
        received = self._send(
            "GET", "/me/rates", repeatable=True, query={"limit": limit, "cursor": cursor, "product_id": product_id, "weeks": weeks}
        )
        return read(received, models.RatesRead)

    def iter_rates(self, *, product_id: str, weeks: str | Sequence[str], limit: int | None = None) -> Iterator[models.RatesReadRate]:
        """Each of `get_rates`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.get_rates(limit=limit, product_id=product_id, weeks=weeks, cursor=cursor)
            for item in page.rates:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def publish_avails(
        self, body: models.AvailsUpdate | RawBody, *, dry_run: bool = False, if_match: str | None = None
    ) -> models.AvailsReply:
        """Publish availability.

        Merges avail entries by product and period; published counts inform buyers and bound holds, and never refuse an order.
        Each entry is checked on its own: faulty ones are listed in errors and the others are stored. Sending the same body
        again changes nothing. Where an entry answers an open request, catalog.avails_answered follows to the buyer and the
        seller. Sellers call it with the scope catalog:write.

        dry_run: true: replies 200 with what would happen, and writes nothing.
        if_match: The basis of the dry run. If what the publish replaces has changed since, the reply is 409 CONFLICT.
        """
        received = self._send(
            "PUT", "/me/avails", repeatable=True, query={"dry_run": dry_run or None}, headers={"If-Match": if_match}, body=body
        )
        return read(received, models.AvailsReply)

    def get_own_avails(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        product_id: str | None = None,
        weeks: str | Sequence[str] | None = None,
        grain: Literal["day", "week", "month"] | str | None = None,
    ) -> models.PublishedAvails:
        """Get your own avails.

        Returns the seller's avail entries as it published them, without prices and without the disclosure rules that apply to
        buyers. Sellers call it with the scope catalog:read.

        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        product_id: Returns only avails of this product.
        weeks: ISO weeks and ranges of them, separated by commas: 2026-W50,2027-W01..2027-W04.
        grain: Returns only avails of periods of this length.
        """
        received = self._send(
            "GET",
            "/me/avails",
            repeatable=True,
            query={"limit": limit, "cursor": cursor, "product_id": product_id, "weeks": weeks, "grain": grain},
        )
        return read(received, models.PublishedAvails)

    def iter_own_avails(
        self,
        *,
        limit: int | None = None,
        product_id: str | None = None,
        weeks: str | Sequence[str] | None = None,
        grain: Literal["day", "week", "month"] | str | None = None,
    ) -> Iterator[models.Avail]:
        """Each of `get_own_avails`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.get_own_avails(limit=limit, product_id=product_id, weeks=weeks, grain=grain, cursor=cursor)
            for item in page.avails:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_avails_requests(self, *, limit: int | None = None, cursor: str | None = None) -> models.AvailsRequestList:
        """List open avails requests.

        Returns what buyers have asked about the seller's avails and nobody has answered yet, oldest first. Publishing the
        avails or posting a plan answers a request and removes it from this list. Sellers call it with the scope catalog:read.

        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/me/avails/requests", repeatable=True, query={"limit": limit, "cursor": cursor})
        return read(received, models.AvailsRequestList)

    def iter_avails_requests(self, *, limit: int | None = None) -> Iterator[models.AvailsRequestListItem]:
        """Each of `list_avails_requests`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_avails_requests(limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_sellers(self, *, limit: int | None = None, cursor: str | None = None) -> models.SellerList:
        """List sellers.

        Returns the sellers that the buyer may order from, with conformance level, workflows and the period lengths they sell.
        Products are not included. Buyers call it with the scope catalog:read.

        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/sellers", repeatable=True, query={"limit": limit, "cursor": cursor})
        return read(received, models.SellerList)

    def iter_sellers(self, *, limit: int | None = None) -> Iterator[models.SellerListSeller]:
        """Each of `list_sellers`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_sellers(limit=limit, cursor=cursor)
            for item in page.sellers:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_catalog(self, seller: str, *, agreement: str | None = None) -> models.CatalogRead:
        """Get a seller's catalog.

        Returns the seller's products that the buyer may see, with the taxonomy version and the current rate card commit.
        Products sold by agreement appear for buyers whose agreement unlocks them. The seller's external_ref is never shown.
        Buyers call it with the scope catalog:read.

        seller: The seller's tenant id.
        agreement: Presents an agreement: its prices and its disclosure apply to this read.
        """
        received = self._send("GET", f"/sellers/{segment(seller)}/catalog", repeatable=True, query={"agreement": agreement})
        return read(received, models.CatalogRead)

    def get_avails(
        self,
        seller: str,
        *,
        product_id: str | None = None,
        weeks: str | Sequence[str] | None = None,
        spot_length: int | None = None,
        market_class: Literal["scatter", "discounted"] | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        agreement: str | None = None,
    ) -> models.AvailsRead:
        """Get a seller's avails and rates.

        Returns availability per product and period, with the prices that an order line cites by locked_rate_id. Only products
        and prices that the buyer may see are included. Reading avails reserves nothing: create a hold, or place an order.
        Buyers call it with the scope catalog:read.

        seller: The seller's tenant id.
        product_id: Returns only avails of this product.
        weeks: ISO weeks and ranges of them, separated by commas: 2026-W50,2027-W01..2027-W04.
        spot_length: Returns only prices of this spot length, in seconds.
        market_class: Returns only prices of this market class.
        limit: The highest number of entries on the page; all entries if neither limit nor cursor is sent.
        cursor: The next_cursor of the previous page; the first page if omitted.
        agreement: Presents an agreement: its prices and its disclosure apply to this read.
        """
        received = self._send(
            "GET",
            f"/sellers/{segment(seller)}/avails",
            repeatable=True,
            query={
                "product_id": product_id,
                "weeks": weeks,
                "spot_length": spot_length,
                "market_class": market_class,
                "limit": limit,
                "cursor": cursor,
                "agreement": agreement,
            },
        )
        return read(received, models.AvailsRead)

    def iter_avails(
        self,
        seller: str,
        *,
        product_id: str | None = None,
        weeks: str | Sequence[str] | None = None,
        spot_length: int | None = None,
        market_class: Literal["scatter", "discounted"] | str | None = None,
        limit: int | None = None,
        agreement: str | None = None,
    ) -> Iterator[models.AvailsReadAvail]:
        """Each of `get_avails`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.get_avails(
                seller,
                product_id=product_id,
                weeks=weeks,
                spot_length=spot_length,
                market_class=market_class,
                limit=limit,
                agreement=agreement,
                cursor=cursor,
            )
            for item in page.avails:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def request_avails(self, seller: str, body: models.AvailsRequest | RawBody) -> models.AvailsRequestReply:
        """Request avails.

        Asks a seller for the avails of one product and period that it does not publish to this buyer. The same question, while
        open, returns the same request_id. catalog.avails_answered follows when the seller publishes the avails or posts a plan
        that covers them. Buyers call it with the scope orders:write.

        seller: The seller's tenant id.
        """
        received = self._send("POST", f"/sellers/{segment(seller)}/avails/requests", repeatable=True, body=body)
        return read(received, models.AvailsRequestReply)

    def put_drop_file(self, drop_id: str, filename: str, body: Content) -> models.DropFile:
        """Put a file into a drop.

        Stores the bytes as a file of the drop and returns their SHA-256. A file of the same name is replaced. Nothing is read
        from it before a manifest names it: register the drop, or put manifest.json last. Sellers call it with the scope
        catalog:write.

        drop_id: The seller's own name for the drop.
        filename: The name of the file in the drop.
        """
        received = self._send_content("PUT", f"/me/files/{segment(drop_id)}/{segment(filename)}", body, repeatable=True)
        return read(received, models.DropFile)

    def list_drops(
        self,
        *,
        status: Literal["processing", "success", "partial", "rejected"] | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.DropList:
        """List your file drops.

        Returns the runs of the seller's drops, newest first, without their errors. A drop that was registered several times is
        listed as often. Sellers call it with the scope catalog:read.

        status: Returns only entries with this status; all entries if omitted.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/me/files", repeatable=True, query={"status": status, "limit": limit, "cursor": cursor})
        return read(received, models.DropList)

    def iter_drops(
        self, *, status: Literal["processing", "success", "partial", "rejected"] | str | None = None, limit: int | None = None
    ) -> Iterator[models.DropSummary]:
        """Each of `list_drops`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_drops(status=status, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_drop(self, drop_id: str) -> models.DropResult:
        """Get the result of a file drop.

        Returns the result of the newest run of a drop: its status, how many rows were written, and the errors by file and row.
        While it is processing, stage and counts tell how far it is; errors follow when it has ended. A manifest.json that has
        landed since is shown in its place until it is registered or refused, with what it waits for. Sellers call it with the
        scope catalog:read.

        drop_id: The seller's own name for the drop.
        """
        received = self._send("GET", f"/me/files/{segment(drop_id)}", repeatable=True)
        return read(received, models.DropResult)

    def register_drop(self, body: models.Manifest | RawBody) -> models.DropReceipt:
        """Register a file drop.

        Registers the files of a drop, which have landed before, and returns where its result is read; ingestion follows, and
        the result also lands in the drop as success.json or errors.json. Files with the same set of sha256 values as an earlier
        drop are not ingested again: the reply and the result are those of the original, unless reprocess is true. A
        manifest.json that lands in the drop does the same as this call. Sellers call it with the scope catalog:write.
        """
        received = self._send("POST", "/me/files/manifest", repeatable=True, body=body)
        return read(received, models.DropReceipt)

    def list_mappings(self, *, limit: int | None = None, cursor: str | None = None) -> models.MappingList:
        """List your mappings of files.

        Returns the mappings by which the seller's own files are read, by name. Sellers call it with the scope catalog:read.

        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/me/files/mappings", repeatable=True, query={"limit": limit, "cursor": cursor})
        return read(received, models.MappingList)

    def iter_mappings(self, *, limit: int | None = None) -> Iterator[models.Mapping]:
        """Each of `list_mappings`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_mappings(limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_mapping(self, name: str) -> models.Mapping:
        """Get a mapping of files.

        Returns one mapping. The ETag can be sent as If-Match with its replacement. Sellers call it with the scope catalog:read.

        name: The name of the secret, which secret_ref refers to.
        """
        received = self._send("GET", f"/me/files/mappings/{segment(name)}", repeatable=True)
        return read(received, models.Mapping)

    def put_mapping(
        self, name: str, body: models.PutMapping | RawBody, *, if_match: str | None = None, if_none_match: str | None = None
    ) -> models.Mapping:
        """Make or replace a mapping of files.

        Says how files with columns of your own system are read: which of its columns is which of ours, what its words mean and
        which rows are left out. Creates the mapping (201) or replaces it whole (200); the same body again changes nothing. It
        is used for csv, xlsx and parquet files whose headings are its headers, or whose manifest entry names it. A drop reads
        by the mappings of the moment at which it was registered. Sellers call it with the scope catalog:write.

        name: The name of the secret, which secret_ref refers to.
        if_match: The ETag of what it replaces, as you read it. If that has changed since, the reply is 409 CONFLICT.
        if_none_match: * creates only: where you have another document under this id, the reply is 409 CONFLICT.
        """
        received = self._send(
            "PUT",
            f"/me/files/mappings/{segment(name)}",
            repeatable=True,
            headers={"If-Match": if_match, "If-None-Match": if_none_match},
            body=body,
        )
        return read(received, models.Mapping)

    def delete_mapping(self, name: str) -> None:
        """Delete a mapping of files.

        Removes a mapping; deleting twice changes nothing. Drops that were registered before still read by it. Sellers call it
        with the scope catalog:write.

        name: The name of the secret, which secret_ref refers to.
        """
        self._send("DELETE", f"/me/files/mappings/{segment(name)}", repeatable=True)

    def list_agreements(self, *, limit: int | None = None, cursor: str | None = None) -> models.BuyerAgreementList:
        """List your agreements.

        Returns the buyer's agreements in force, with the products, buy types and period lengths they unlock and the terms that
        orders under them keep. The seller's external_ref is never shown. Buyers call it with the scope catalog:read.

        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/agreements", repeatable=True, query={"limit": limit, "cursor": cursor})
        return read(received, models.BuyerAgreementList)

    def iter_agreements(self, *, limit: int | None = None) -> Iterator[models.BuyerAgreement]:
        """Each of `list_agreements`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_agreements(limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_pacing(self, agreement_id: str) -> models.Pacing:
        """Get the pacing of an agreement.

        Returns the commitment of one agreement, the gross booked under it and the remainder, in major units of its currency.
        The figures are computed at the moment of the call. Buyers call it with the scope settlement:read.

        agreement_id: The id of the agreement between the seller and the buyer.
        """
        received = self._send("GET", f"/agreements/{segment(agreement_id)}/pacing", repeatable=True)
        return read(received, models.Pacing)

    def get_credit(self, *, agreement: str) -> models.Credit:
        """Get the credit of an agreement.

        Returns the credit limit of one agreement, the exposure of its cleared orders and what is available, in major units of
        its currency. The query must name the agreement; there is no figure across agreements. Buyers call it with the scope
        settlement:read.

        agreement: The id of the agreement whose credit is read.
        """
        received = self._send("GET", "/settlement/credit", repeatable=True, query={"agreement": agreement})
        return read(received, models.Credit)

    def list_granted_agreements(self, *, limit: int | None = None, cursor: str | None = None) -> models.AgreementList:
        """List the agreements you granted.

        Returns the seller's agreements, ended ones included. Sellers call it with the scope catalog:read.

        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/me/agreements", repeatable=True, query={"limit": limit, "cursor": cursor})
        return read(received, models.AgreementList)

    def iter_granted_agreements(self, *, limit: int | None = None) -> Iterator[models.Agreement]:
        """Each of `list_granted_agreements`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_granted_agreements(limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_granted_agreement(self, agreement_id: str) -> models.Agreement:
        """Get an agreement you granted.

        Returns one of the seller's agreements with its external_ref. The ETag can be sent as If-Match with its replacement.
        Sellers call it with the scope catalog:read.

        agreement_id: The id of the agreement between the seller and the buyer.
        """
        received = self._send("GET", f"/me/agreements/{segment(agreement_id)}", repeatable=True)
        return read(received, models.Agreement)

    @overload
    def grant_agreement(
        self,
        agreement_id: str,
        body: models.PutAgreement | RawBody,
        *,
        dry_run: Literal[False] = False,
        if_match: str | None = None,
        if_none_match: str | None = None,
    ) -> models.Agreement: ...

    @overload
    def grant_agreement(
        self,
        agreement_id: str,
        body: models.PutAgreement | RawBody,
        *,
        dry_run: Literal[True],
        if_match: str | None = None,
        if_none_match: str | None = None,
    ) -> models.GrantReply: ...

    @overload
    def grant_agreement(
        self,
        agreement_id: str,
        body: models.PutAgreement | RawBody,
        *,
        dry_run: bool,
        if_match: str | None = None,
        if_none_match: str | None = None,
    ) -> models.Agreement | models.GrantReply: ...

    def grant_agreement(
        self,
        agreement_id: str,
        body: models.PutAgreement | RawBody,
        *,
        dry_run: bool = False,
        if_match: str | None = None,
        if_none_match: str | None = None,
    ) -> models.Agreement | models.GrantReply:
        """Grant or replace an agreement.

        Creates the agreement of this id with a buyer (201), or replaces it whole (200): a member that is left out takes its
        default. With If-None-Match: * it only creates. Sending the same body again changes nothing, and no event follows.
        Orders already placed keep the terms they were created with; a dry run says what the buyer would see before and after.
        Sellers call it with the scope catalog:write.

        agreement_id: The id of the agreement between the seller and the buyer.
        dry_run: true: replies 200 with what would happen, and writes nothing.
        if_match: The ETag of what it replaces, as you read it. If that has changed since, the reply is 409 CONFLICT.
        if_none_match: * creates only: where you have another document under this id, the reply is 409 CONFLICT.
        """
        received = self._send(
            "PUT",
            f"/me/agreements/{segment(agreement_id)}",
            repeatable=True,
            query={"dry_run": dry_run or None},
            headers={"If-Match": if_match, "If-None-Match": if_none_match},
            body=body,
        )
        return read(received, models.GrantReply) if dry_run else read(received, models.Agreement)

    def get_granted_pacing(self, agreement_id: str) -> models.Pacing:
        """Get the pacing of an agreement you granted.

        Returns the pacing of an agreement that the seller granted, with the figures its buyer reads: commitment, gross booked,
        remainder and gross invoiced, in major units of its currency. Sellers call it with the scope settlement:read.

        agreement_id: The id of the agreement between the seller and the buyer.
        """
        received = self._send("GET", f"/me/agreements/{segment(agreement_id)}/pacing", repeatable=True)
        return read(received, models.Pacing)

    def get_granted_credit(self, agreement_id: str) -> models.Credit:
        """Get the credit of an agreement you granted.

        Returns the credit of an agreement that the seller granted, with the figures its buyer reads: credit limit, exposure of
        its cleared orders and what is available, in major units of its currency. Sellers call it with the scope
        settlement:read.

        agreement_id: The id of the agreement between the seller and the buyer.
        """
        received = self._send("GET", f"/me/agreements/{segment(agreement_id)}/credit", repeatable=True)
        return read(received, models.Credit)

    def list_buyers(self, *, limit: int | None = None, cursor: str | None = None) -> models.BuyerStandingList:
        """List the standings that you set.

        Returns the buyers whose standing the seller has set, by name. A buyer that is not listed has the default standing.
        Sellers call it with the scope catalog:read.

        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/me/buyers", repeatable=True, query={"limit": limit, "cursor": cursor})
        return read(received, models.BuyerStandingList)

    def iter_buyers(self, *, limit: int | None = None) -> Iterator[models.BuyerStanding]:
        """Each of `list_buyers`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_buyers(limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_buyer(self, buyer_entity: str) -> models.BuyerStanding:
        """Get a buyer's standing.

        Returns whether a buyer may order from the seller. A name that the seller has said nothing about returns the default
        standing, whether or not such a buyer exists. Sellers call it with the scope catalog:read.

        buyer_entity: The buyer's tenant id.
        """
        received = self._send("GET", f"/me/buyers/{segment(buyer_entity)}", repeatable=True)
        return read(received, models.BuyerStanding)

    def put_buyer(self, buyer_entity: str, body: models.PutBuyer | RawBody) -> models.BuyerStanding:
        """Set a buyer's standing.

        Suspends or reinstates a buyer, or puts one on the allowlist that a seller with access allowlist takes orders from. A
        suspended buyer cannot create orders or holds; its existing orders continue. Sending the same body again changes
        nothing, and no event follows. Sellers call it with the scope catalog:write.

        buyer_entity: The buyer's tenant id.
        """
        received = self._send("PUT", f"/me/buyers/{segment(buyer_entity)}", repeatable=True, body=body)
        return read(received, models.BuyerStanding)

    def get_capabilities(self) -> models.Capabilities:
        """Get your capability profile.

        Returns the profile that the platform routes orders by, the conformance level computed from it and what the next level
        needs. Sellers call it with the scope catalog:read.
        """
        received = self._send("GET", "/me/capabilities", repeatable=True)
        return read(received, models.Capabilities)

    def put_capabilities(self, body: models.SellerProfile | RawBody, *, if_match: str | None = None) -> models.Capabilities:
        """Replace your capability profile.

        Replaces the seller's profile whole: a member that is left out takes its default. The conformance level is computed and
        cannot be sent. The platform never calls a capability that the profile does not declare. Sending the same body again
        changes nothing, and no event follows. Sellers call it with the scope orders:approve.

        if_match: The ETag of what it replaces, as you read it. If that has changed since, the reply is 409 CONFLICT.
        """
        received = self._send("PUT", "/me/capabilities", repeatable=True, headers={"If-Match": if_match}, body=body)
        return read(received, models.Capabilities)

    def put_secret(self, name: str, body: models.PutSecret | RawBody) -> models.SecretName:
        """Store a secret.

        Stores or replaces a secret that the capability profile refers to by name, such as the one that signs calls to the
        seller's own API. It is encrypted at rest and no reply ever shows it. Sellers call it with the scope orders:approve.

        name: The name of the secret, which secret_ref refers to.
        """
        received = self._send("PUT", f"/me/secrets/{segment(name)}", repeatable=True, body=body)
        return read(received, models.SecretName)

    def get_approval_rules(self) -> models.ApprovalRules:
        """Get your approval rules.

        Returns the seller's approval rules in order, what each did in the last 30 days and whether the profile puts them in
        force. Sellers call it with the scope orders:read.
        """
        received = self._send("GET", "/me/approval-rules", repeatable=True)
        return read(received, models.ApprovalRules)

    def put_approval_rules(self, body: models.PutApprovalRules | RawBody, *, if_match: str | None = None) -> models.ApprovalRules:
        """Replace your approval rules.

        Replaces all approval rules; the first rule that matches an order decides it. Rules decide only while the profile says
        approval: rules, and only orders that reach seller_review afterwards. Sending the same body again changes nothing.
        Decisions follow later as order.status_changed events with gate rule. Sellers call it with the scope orders:approve.

        if_match: The ETag of what it replaces, as you read it. If that has changed since, the reply is 409 CONFLICT.
        """
        received = self._send("PUT", "/me/approval-rules", repeatable=True, headers={"If-Match": if_match}, body=body)
        return read(received, models.ApprovalRules)

    def list_creatives(self, *, limit: int | None = None, cursor: str | None = None) -> models.CreativeList:
        """List your creatives.

        Returns the buyer's creatives, archived ones included. Other buyers and sellers do not see this registry. Buyers call it
        with the scope orders:read.

        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/creatives", repeatable=True, query={"limit": limit, "cursor": cursor})
        return read(received, models.CreativeList)

    def iter_creatives(self, *, limit: int | None = None) -> Iterator[models.Creative]:
        """Each of `list_creatives`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_creatives(limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def create_creative(self, body: models.CreateCreative | RawBody, *, idempotency_key: str | None = None) -> models.Creative:
        """Register a creative.

        Adds a creative to the buyer's registry so that order lines can refer to it by creative_id. It stores no media. Each
        call creates another record, unless its Idempotency-Key repeats an earlier one. No event follows. Buyers call it with
        the scope orders:write.

        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send("POST", "/creatives", repeatable=True, headers={"Idempotency-Key": idempotency_key or new_key()}, body=body)
        return read(received, models.Creative)

    def archive_creative(self, creative_id: str) -> models.Creative:
        """Archive a creative.

        Archives a creative so that no new line can refer to it; orders that already do keep their snapshot of it. Archiving
        twice changes nothing. A creative cannot be restored or deleted. Buyers call it with the scope orders:write.

        creative_id: The id of a creative in the buyer's registry.
        """
        received = self._send("POST", f"/creatives/{segment(creative_id)}/archive", repeatable=True)
        return read(received, models.Creative)

    def create_upload(self, body: models.CreateUpload | RawBody, *, idempotency_key: str | None = None) -> models.Upload:
        """Announce an upload.

        Announces a file and returns the path for its content, which follows in one PUT. Each call creates another upload,
        unless its Idempotency-Key repeats an earlier one. An upload that no order refers to lapses at expires_at. No event
        follows. Buyers call it with the scope orders:write.

        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send("POST", "/uploads", repeatable=True, headers={"Idempotency-Key": idempotency_key or new_key()}, body=body)
        return read(received, models.Upload)

    def get_upload(self, upload_id: str) -> models.Upload:
        """Get an upload.

        Returns the record of one of the buyer's uploads: its status, size and hash. Its content is at
        /uploads/{upload_id}/content. Buyers call it with the scope orders:read.

        upload_id: The id of an upload: one of the caller's, or a file of the order.
        """
        received = self._send("GET", f"/uploads/{segment(upload_id)}", repeatable=True)
        return read(received, models.Upload)

    def get_upload_content(self, upload_id: str) -> File:
        """Download the content of an upload.

        Returns the bytes of one of the buyer's uploads as a file to be saved. An upload without content is 409 INVALID_STATE.
        Buyers call it with the scope orders:read.

        upload_id: The id of an upload: one of the caller's, or a file of the order.
        """
        return read_file(self._send("GET", f"/uploads/{segment(upload_id)}/content", repeatable=True))

    def put_upload_content(self, upload_id: str, body: Content) -> models.UploadContent:
        """Send the content of an upload.

        Stores the bytes of an announced upload, exactly once, and returns their SHA-256. The bytes must have the announced size
        and format; otherwise the upload is rejected for good. A second PUT is 409 CONFLICT and leaves the stored bytes
        untouched. The bytes are not parsed here. Buyers call it with the scope orders:write.

        upload_id: The id of an upload: one of the caller's, or a file of the order.
        """
        received = self._send_content("PUT", f"/uploads/{segment(upload_id)}/content", body, repeatable=False)
        return read(received, models.UploadContent)

    def get_upload_pages(self, upload_id: str) -> models.DocumentPages:
        """Get the texts of an upload that was read.

        Returns the texts of an upload that an order was placed by, with their places, as the reader of documents saw them. They
        are kept for a week; before an order by it and after that week the answer is 409 INVALID_STATE. Buyers call it with the
        scope orders:read.

        upload_id: The id of an upload: one of the caller's, or a file of the order.
        """
        received = self._send("GET", f"/uploads/{segment(upload_id)}/pages", repeatable=True)
        return read(received, models.DocumentPages)

    def get_own_attachment(self, order_id: str, upload_id: str) -> File:
        """Download a file of an order.

        Returns the bytes of a file of one of the buyer's orders as a file to be saved: what it attached or ordered by, or the
        notice of a makegood, whose upload_id names it. Buyers call it with the scope orders:read.

        order_id: The id of the order.
        upload_id: The id of an upload: one of the caller's, or a file of the order.
        """
        return read_file(self._send("GET", f"/orders/{segment(order_id)}/attachments/{segment(upload_id)}", repeatable=True))

    def create_seller_upload(self, body: models.CreateUpload | RawBody, *, idempotency_key: str | None = None) -> models.SellerUpload:
        """Announce the file of a notice.

        Announces the notice of a makegood as a file and returns the path for its content, which follows in one PUT. Each call
        creates another upload, unless its Idempotency-Key repeats an earlier one. An upload that no notice names lapses at
        expires_at. No event follows. Sellers call it with the scope orders:approve.

        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send("POST", "/me/uploads", repeatable=True, headers={"Idempotency-Key": idempotency_key or new_key()}, body=body)
        return read(received, models.SellerUpload)

    def get_seller_upload(self, upload_id: str) -> models.SellerUpload:
        """Get an upload of a seller.

        Returns the record of one of the seller's uploads: its status, size and hash. Sellers call it with the scope
        orders:read.

        upload_id: The id of an upload: one of the caller's, or a file of the order.
        """
        received = self._send("GET", f"/me/uploads/{segment(upload_id)}", repeatable=True)
        return read(received, models.SellerUpload)

    def put_seller_upload_content(self, upload_id: str, body: Content) -> models.UploadContent:
        """Send the file of a notice.

        Stores the bytes of an announced upload, exactly once, and returns their SHA-256. The bytes must have the announced size
        and format; otherwise the upload is rejected for good. A second PUT is 409 CONFLICT and leaves the stored bytes
        untouched. Sellers call it with the scope orders:approve.

        upload_id: The id of an upload: one of the caller's, or a file of the order.
        """
        received = self._send_content("PUT", f"/me/uploads/{segment(upload_id)}/content", body, repeatable=False)
        return read(received, models.UploadContent)

    def create_hold(self, body: models.CreateHold | RawBody, *, idempotency_key: str | None = None) -> models.Hold:
        """Create a hold.

        Asks a seller to keep inventory for the buyer for ttl_minutes, so that an order can cite it by hold_id on its lines. It
        books nothing and locks no price. With an Idempotency-Key the same bytes replay the stored reply; with other bytes it is
        409 CONFLICT. No event follows: read the hold to see when it was used or ended. Buyers call it with the scope
        orders:write.

        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send("POST", "/holds", repeatable=True, headers={"Idempotency-Key": idempotency_key or new_key()}, body=body)
        return read(received, models.Hold)

    def list_holds(
        self,
        *,
        status: Literal["held", "released", "expired", "used"] | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.HoldList:
        """List your holds.

        Returns the buyer's holds, newest first, those that were used or have ended included. Buyers call it with the scope
        orders:read.

        status: Returns only entries with this status; all entries if omitted.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/holds", repeatable=True, query={"status": status, "limit": limit, "cursor": cursor})
        return read(received, models.HoldList)

    def iter_holds(
        self, *, status: Literal["held", "released", "expired", "used"] | str | None = None, limit: int | None = None
    ) -> Iterator[models.Hold]:
        """Each of `list_holds`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_holds(status=status, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_received_holds(
        self,
        *,
        status: Literal["held", "released", "expired", "used"] | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.ReceivedHoldList:
        """List the holds on your inventory.

        Returns what buyers hold of the seller's inventory, newest first, holds that were used or have ended included. Sellers
        call it with the scope orders:read.

        status: Returns only entries with this status; all entries if omitted.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/me/holds", repeatable=True, query={"status": status, "limit": limit, "cursor": cursor})
        return read(received, models.ReceivedHoldList)

    def iter_received_holds(
        self, *, status: Literal["held", "released", "expired", "used"] | str | None = None, limit: int | None = None
    ) -> Iterator[models.ReceivedHold]:
        """Each of `list_received_holds`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_received_holds(status=status, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_hold(self, hold_id: str) -> models.Hold:
        """Get a hold.

        Returns one of the buyer's holds. A hold whose time is over reads expired. Buyers call it with the scope orders:read.

        hold_id: The id of the hold.
        """
        received = self._send("GET", f"/holds/{segment(hold_id)}", repeatable=True)
        return read(received, models.Hold)

    def release_hold(self, hold_id: str) -> models.Hold:
        """Release a hold.

        Ends a hold before its time and informs the seller's own API where it has one. Releasing twice changes nothing; a hold
        that an order has used is 409 INVALID_STATE. No event follows. Buyers call it with the scope orders:write.

        hold_id: The id of the hold.
        """
        received = self._send("DELETE", f"/holds/{segment(hold_id)}", repeatable=True)
        return read(received, models.Hold)

    @overload
    def create_order(self, body: models.CreateOrder | RawBody, *, dry_run: Literal[False] = False) -> models.OrderCreated: ...

    @overload
    def create_order(self, body: models.CreateOrder | RawBody, *, dry_run: Literal[True]) -> models.OrderPreview: ...

    @overload
    def create_order(self, body: models.CreateOrder | RawBody, *, dry_run: bool) -> models.OrderCreated | models.OrderPreview: ...

    def create_order(self, body: models.CreateOrder | RawBody, *, dry_run: bool = False) -> models.OrderCreated | models.OrderPreview:
        """Place an order.

        Creates an order with one seller by lines, by a request for proposal or by a document, and returns at once with status
        submitted. It does not wait for validation or for the seller: both follow as order.status_changed events.
        external_order_id is the idempotency key: the same bytes replay the stored reply, other bytes are 409 CONFLICT. A
        refused create and a dry run leave nothing behind: the one lists every fault, the other replies 200 as POST
        /orders/preview does. Buyers call it with the scope orders:write.

        dry_run: true: replies 200 with what would happen, and writes nothing.
        """
        received = self._send("POST", "/orders", repeatable=True, query={"dry_run": dry_run or None}, body=body)
        return read(received, models.OrderPreview) if dry_run else read(received, models.OrderCreated)

    def list_orders(
        self,
        *,
        status: str | Sequence[str] | None = None,
        seller: str | None = None,
        buyer: str | None = None,
        external_order_id: str | None = None,
        advertiser_id: str | None = None,
        workflow: str | Sequence[str] | None = None,
        waiting_on: Literal["buyer", "seller", "platform"] | str | None = None,
        overdue: bool | None = None,
        air_from: str | date | None = None,
        air_to: str | date | None = None,
        updated_since: str | datetime | None = None,
        q: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.OrderList:
        """List your orders.

        Returns the buyer's orders, newest first, without lines and artifacts. Filters combine; a page that had to pass over
        many orders may end early, even empty, and its cursor continues. Buyers call it with the scope orders:read.

        status: Statuses, separated by commas; all statuses if omitted.
        seller: Returns only orders with this seller.
        buyer: Lists the orders of this buyer alone.
        external_order_id: Returns only the order with this id of the buyer's own.
        advertiser_id: Lists the orders whose buyer_metadata.advertiser_id this is.
        workflow: Workflows, separated by commas; all workflows if omitted.
        waiting_on: Lists the orders that wait for this party.
        overdue: true lists the orders whose decision is overdue, false all others.
        air_from: Lists the orders whose first air date is this date or later.
        air_to: Lists the orders whose first air date is this date or earlier.
        updated_since: Lists the orders whose updated_at is this UTC time or later. To follow every change read the feed
            instead, which skips none and has no order twice.
        q: Lists the orders whose order_id or external_order_id begins with this text.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET",
            "/orders",
            repeatable=True,
            query={
                "status": status,
                "seller": seller,
                "buyer": buyer,
                "external_order_id": external_order_id,
                "advertiser_id": advertiser_id,
                "workflow": workflow,
                "waiting_on": waiting_on,
                "overdue": overdue,
                "air_from": air_from,
                "air_to": air_to,
                "updated_since": updated_since,
                "q": q,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return read(received, models.OrderList)

    def iter_orders(
        self,
        *,
        status: str | Sequence[str] | None = None,
        seller: str | None = None,
        buyer: str | None = None,
        external_order_id: str | None = None,
        advertiser_id: str | None = None,
        workflow: str | Sequence[str] | None = None,
        waiting_on: Literal["buyer", "seller", "platform"] | str | None = None,
        overdue: bool | None = None,
        air_from: str | date | None = None,
        air_to: str | date | None = None,
        updated_since: str | datetime | None = None,
        q: str | None = None,
        limit: int | None = None,
    ) -> Iterator[models.OrderListItem]:
        """Each of `list_orders`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_orders(
                status=status,
                seller=seller,
                buyer=buyer,
                external_order_id=external_order_id,
                advertiser_id=advertiser_id,
                workflow=workflow,
                waiting_on=waiting_on,
                overdue=overdue,
                air_from=air_from,
                air_to=air_to,
                updated_since=updated_since,
                q=q,
                limit=limit,
                cursor=cursor,
            )
            for item in page.orders:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_order(self, order_id: str, *, at_seq: str | None = None) -> models.OrderSnapshot:
        """Get an order.

        Returns the authoritative snapshot of one of the buyer's orders, projected from its event log. With at_seq it returns
        the order as it was after that event. The ETag can be sent as If-Match with a command. Buyers call it with the scope
        orders:read.

        order_id: The id of the order.
        at_seq: Returns the order as it was after the event with this seq.
        """
        received = self._send("GET", f"/orders/{segment(order_id)}", repeatable=True, query={"at_seq": at_seq})
        return read(received, models.OrderSnapshot)

    def get_order_audit(self, order_id: str, *, after_seq: str | None = None) -> models.OrderAudit:
        """Get the audit record of an order.

        Returns the create request, the create-time facts and the events of an order as the platform hashed them, so that anyone
        can verify the record offline. Long records are read page by page with after_seq. Buyers call it with the scope
        orders:read.

        order_id: The id of the order.
        after_seq: Returns only events after this seq; all events if omitted.
        """
        received = self._send("GET", f"/orders/{segment(order_id)}/audit", repeatable=True, query={"after_seq": after_seq})
        return read(received, models.OrderAudit)

    def preview_order(self, body: models.CreateOrder | RawBody) -> models.OrderPreview:
        """Preview an order.

        Checks a create body as POST /orders does and returns totals, lines and warnings, or lists every fault; an
        external_order_id that another order has is a CONFLICT, as in a create. Nothing is written: no order exists afterwards,
        no external_order_id is used up and no event follows. Buyers call it with the scope orders:write.
        """
        received = self._send("POST", "/orders/preview", repeatable=True, body=body)
        return read(received, models.OrderPreview)

    def count_orders(self) -> models.OrderCounts:
        """Count your open orders.

        Returns how many of the buyer's open orders are in each status, how many wait for each party and how many are overdue.
        Orders that are placed, canceled, rejected or failed are not counted. Buyers call it with the scope orders:read.
        """
        received = self._send("GET", "/orders/counts", repeatable=True)
        return read(received, models.OrderCounts)

    @overload
    def confirm_order(
        self, order_id: str, body: models.ConfirmOrder | RawBody, *, dry_run: Literal[False] = False, if_match: str | None = None
    ) -> models.ConfirmReply: ...

    @overload
    def confirm_order(
        self, order_id: str, body: models.ConfirmOrder | RawBody, *, dry_run: Literal[True], if_match: str | None = None
    ) -> models.ConfirmPreview: ...

    @overload
    def confirm_order(
        self, order_id: str, body: models.ConfirmOrder | RawBody, *, dry_run: bool, if_match: str | None = None
    ) -> models.ConfirmReply | models.ConfirmPreview: ...

    def confirm_order(
        self, order_id: str, body: models.ConfirmOrder | RawBody, *, dry_run: bool = False, if_match: str | None = None
    ) -> models.ConfirmReply | models.ConfirmPreview:
        """Confirm or reject an order.

        Answers an order in needs_confirmation: confirms the plan of a proposal or the parsed lines of a document, or rejects it
        with a reason. It does not place the order: the seller's review follows. An exact repeat returns the stored outcome; a
        dry run replies 200 with the lines that it would book. order.status_changed events follow to both sides. Buyers call it
        with the scope orders:write.

        order_id: The id of the order.
        dry_run: true: replies 200 with what would happen, and writes nothing.
        if_match: The ETag of the order as you read it. If the order has changed since, the reply is 409 INVALID_STATE.
        """
        received = self._send(
            "POST",
            f"/orders/{segment(order_id)}/confirm",
            repeatable=True,
            query={"dry_run": dry_run or None},
            headers={"If-Match": if_match},
            body=body,
        )
        return read(received, models.ConfirmPreview) if dry_run else read(received, models.ConfirmReply)

    def cancel_order(
        self, order_id: str, body: models.CancelOrder | RawBody | None = None, *, dry_run: bool = False, if_match: str | None = None
    ) -> models.CancelReply:
        """Cancel an order.

        Cancels an order, a placed one included, and returns the cancellation block with its late_notice verdict. Canceling
        twice returns the first cancellation and changes nothing. It collects no fee: the block only states one. An
        order.status_changed event follows to both sides. Buyers call it with the scope orders:write.

        order_id: The id of the order.
        dry_run: true: replies 200 with what would happen, and writes nothing.
        if_match: The ETag of the order as you read it. If the order has changed since, the reply is 409 INVALID_STATE.
        """
        received = self._send(
            "POST",
            f"/orders/{segment(order_id)}/cancel",
            repeatable=True,
            query={"dry_run": dry_run or None},
            headers={"If-Match": if_match},
            body=body,
        )
        return read(received, models.CancelReply)

    def respond_order(self, order_id: str, body: models.RespondOrder | RawBody, *, if_match: str | None = None) -> models.RespondReply:
        """Answer the seller's counters.

        Accepts every open counter of an order in negotiating, which places the order, or withdraws the order. Counters cannot
        be accepted one by one, and the buyer cannot counter back. Repeating the same action returns the stored outcome. An
        order.status_changed event follows to both sides. Buyers call it with the scope orders:write.

        order_id: The id of the order.
        if_match: The ETag of the order as you read it. If the order has changed since, the reply is 409 INVALID_STATE.
        """
        received = self._send("POST", f"/orders/{segment(order_id)}/respond", repeatable=True, headers={"If-Match": if_match}, body=body)
        return read(received, models.RespondReply)

    def list_received_orders(
        self,
        *,
        status: str | Sequence[str] | None = None,
        seller: str | None = None,
        buyer: str | None = None,
        external_order_id: str | None = None,
        advertiser_id: str | None = None,
        workflow: str | Sequence[str] | None = None,
        waiting_on: Literal["buyer", "seller", "platform"] | str | None = None,
        overdue: bool | None = None,
        air_from: str | date | None = None,
        air_to: str | date | None = None,
        updated_since: str | datetime | None = None,
        q: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.OrderList:
        """List the orders you received.

        Returns the seller's orders, newest first, without lines and artifacts. With status=seller_review alone it is the
        approval queue, ordered by decision deadline. Filters combine; a page that had to pass over many orders may end early,
        even empty, and its cursor continues. Sellers call it with the scope orders:read.

        status: Statuses, separated by commas; all statuses if omitted.
        seller: Returns only orders with this seller, which is the caller.
        buyer: Lists the orders of this buyer alone.
        external_order_id: Returns only the order with this id of the buyer's own.
        advertiser_id: Lists the orders whose buyer_metadata.advertiser_id this is.
        workflow: Workflows, separated by commas; all workflows if omitted.
        waiting_on: Lists the orders that wait for this party.
        overdue: true lists the orders whose decision is overdue, false all others.
        air_from: Lists the orders whose first air date is this date or later.
        air_to: Lists the orders whose first air date is this date or earlier.
        updated_since: Lists the orders whose updated_at is this UTC time or later. To follow every change read the feed
            instead, which skips none and has no order twice.
        q: Lists the orders whose order_id or external_order_id begins with this text.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET",
            "/me/orders",
            repeatable=True,
            query={
                "status": status,
                "seller": seller,
                "buyer": buyer,
                "external_order_id": external_order_id,
                "advertiser_id": advertiser_id,
                "workflow": workflow,
                "waiting_on": waiting_on,
                "overdue": overdue,
                "air_from": air_from,
                "air_to": air_to,
                "updated_since": updated_since,
                "q": q,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return read(received, models.OrderList)

    def iter_received_orders(
        self,
        *,
        status: str | Sequence[str] | None = None,
        seller: str | None = None,
        buyer: str | None = None,
        external_order_id: str | None = None,
        advertiser_id: str | None = None,
        workflow: str | Sequence[str] | None = None,
        waiting_on: Literal["buyer", "seller", "platform"] | str | None = None,
        overdue: bool | None = None,
        air_from: str | date | None = None,
        air_to: str | date | None = None,
        updated_since: str | datetime | None = None,
        q: str | None = None,
        limit: int | None = None,
    ) -> Iterator[models.OrderListItem]:
        """Each of `list_received_orders`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_received_orders(
                status=status,
                seller=seller,
                buyer=buyer,
                external_order_id=external_order_id,
                advertiser_id=advertiser_id,
                workflow=workflow,
                waiting_on=waiting_on,
                overdue=overdue,
                air_from=air_from,
                air_to=air_to,
                updated_since=updated_since,
                q=q,
                limit=limit,
                cursor=cursor,
            )
            for item in page.orders:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_received_order(self, order_id: str, *, at_seq: str | None = None) -> models.OrderSnapshot:
        """Get an order you received.

        Returns the authoritative snapshot of one order with the buyer's context, projected from its event log. With at_seq it
        returns the order as it was after that event. The ETag can be sent as If-Match with a command. Sellers call it with the
        scope orders:read.

        order_id: The id of the order.
        at_seq: Returns the order as it was after the event with this seq.
        """
        received = self._send("GET", f"/me/orders/{segment(order_id)}", repeatable=True, query={"at_seq": at_seq})
        return read(received, models.OrderSnapshot)

    def count_received_orders(self) -> models.OrderCounts:
        """Count the open orders you received.

        Returns how many of the seller's open orders are in each status, how many wait for each party and how many are overdue.
        Orders that are placed, canceled, rejected or failed are not counted. Sellers call it with the scope orders:read.
        """
        received = self._send("GET", "/me/orders/counts", repeatable=True)
        return read(received, models.OrderCounts)

    def get_received_order_audit(self, order_id: str, *, after_seq: str | None = None) -> models.OrderAudit:
        """Get the audit record of an order you received.

        Returns the create request, the create-time facts and the events of an order as the platform hashed them, so that anyone
        can verify the record offline. The reply and the notify endpoint of the buyer appear only as hashes. Sellers call it
        with the scope orders:read.

        order_id: The id of the order.
        after_seq: Returns only events after this seq; all events if omitted.
        """
        received = self._send("GET", f"/me/orders/{segment(order_id)}/audit", repeatable=True, query={"after_seq": after_seq})
        return read(received, models.OrderAudit)

    def get_attachment(self, order_id: str, upload_id: str) -> File:
        """Download an attachment of an order.

        Returns the bytes of a file that the buyer attached to an order, or ordered by, as a file to be saved. attachments and
        document of the order name its files, and upload_id of a makegood its notice. Sellers call it with the scope
        orders:read.

        order_id: The id of the order.
        upload_id: The id of an upload: one of the caller's, or a file of the order.
        """
        return read_file(self._send("GET", f"/me/orders/{segment(order_id)}/attachments/{segment(upload_id)}", repeatable=True))

    @overload
    def decide_order(
        self, order_id: str, body: models.DecideOrder | RawBody, *, dry_run: Literal[False] = False, if_match: str | None = None
    ) -> models.DecideReply: ...

    @overload
    def decide_order(
        self, order_id: str, body: models.DecideOrder | RawBody, *, dry_run: Literal[True], if_match: str | None = None
    ) -> models.DecidePreview: ...

    @overload
    def decide_order(
        self, order_id: str, body: models.DecideOrder | RawBody, *, dry_run: bool, if_match: str | None = None
    ) -> models.DecideReply | models.DecidePreview: ...

    def decide_order(
        self, order_id: str, body: models.DecideOrder | RawBody, *, dry_run: bool = False, if_match: str | None = None
    ) -> models.DecideReply | models.DecidePreview:
        """Decide an order.

        Approves, rejects or counters an order in seller_review or negotiating, as a whole or line by line. An approval places
        the order and issues its placement receipt; a counter makes a quote for this buyer and waits for its answer. An exact
        repeat returns the stored outcome. An order.status_changed event with the decision record follows to both sides. Sellers
        call it with the scope orders:approve.

        order_id: The id of the order.
        dry_run: true: replies 200 with what would happen, and writes nothing.
        if_match: The ETag of the order as you read it. If the order has changed since, the reply is 409 INVALID_STATE.
        """
        received = self._send(
            "POST",
            f"/me/orders/{segment(order_id)}/decide",
            repeatable=True,
            query={"dry_run": dry_run or None},
            headers={"If-Match": if_match},
            body=body,
        )
        return read(received, models.DecidePreview) if dry_run else read(received, models.DecideReply)

    def plan_order(self, order_id: str, body: models.PlanOrder | RawBody, *, if_match: str | None = None) -> models.PlanReply:
        """Post a plan for a proposal.

        Answers a proposal order with a plan, which replaces the plan before it. It books nothing: the buyer confirms the plan,
        or its acceptance band does. The same plan_id with the same bytes replays the first reply; with other bytes it is 409
        CONFLICT. An order.status_changed event with the plan follows to both sides. Sellers call it with the scope
        orders:approve.

        order_id: The id of the order.
        if_match: The ETag of the order as you read it. If the order has changed since, the reply is 409 INVALID_STATE.
        """
        received = self._send("POST", f"/me/orders/{segment(order_id)}/plan", repeatable=True, headers={"If-Match": if_match}, body=body)
        return read(received, models.PlanReply)

    def list_edi_mails(self, order_id: str, *, limit: int | None = None, cursor: str | None = None) -> models.EdiMailList:
        """List the mails of an order.

        Returns the mails of one of the buyer's orders that carry its documents to the agency's billing system, newest first,
        with every attempt. reason says why there is no address for them; it is null if there is one. Both sides read the same.
        Buyers call it with the scope orders:read.

        order_id: The id of the order.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", f"/orders/{segment(order_id)}/edi", repeatable=True, query={"limit": limit, "cursor": cursor})
        return read(received, models.EdiMailList)

    def iter_edi_mails(self, order_id: str, *, limit: int | None = None) -> Iterator[models.EdiMail]:
        """Each of `list_edi_mails`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_edi_mails(order_id, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def resend_edi_mail(
        self, order_id: str, body: models.ResendEdi | RawBody | None = None, *, idempotency_key: str | None = None
    ) -> models.EdiMail:
        """Send a document of an order again.

        Queues the document of one mail, or without message_id that of the order's state, once more: the same document under a
        new Message-ID, to the address that the agreement has when it is sent. It does not wait for the mail server. With an
        Idempotency-Key the same bytes replay the stored reply; without one each call sends the document again, at most 20 times
        in 24 hours for each order and side. No event follows: read the mail. Buyers call it with the scope orders:write.

        order_id: The id of the order.
        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send(
            "POST",
            f"/orders/{segment(order_id)}/edi",
            repeatable=True,
            headers={"Idempotency-Key": idempotency_key or new_key()},
            body=body,
        )
        return read(received, models.EdiMail)

    def get_edi_document(self, order_id: str, message_id: str, *, format: Literal["scx", "csv"] | str | None = None) -> File:
        """Get the document of a mail.

        Returns the bytes of the document that a mail carries, as they are or were sent; with format=csv the csv form, if the
        mail carries one. A document is made at the first attempt of its mail: until then, and for a mail that was skipped, it
        is 409 INVALID_STATE. Buyers call it with the scope orders:read.

        order_id: The id of the order.
        message_id: The id of the mail.
        format: The form of the document; scx if the mail carries it, else csv.
        """
        return read_file(
            self._send("GET", f"/orders/{segment(order_id)}/edi/{segment(message_id)}/document", repeatable=True, query={"format": format})
        )

    def list_received_edi_mails(self, order_id: str, *, limit: int | None = None, cursor: str | None = None) -> models.EdiMailList:
        """List the mails of an order you received.

        Returns the mails of one of the seller's orders that carry its documents to the agency's billing system, newest first,
        with every attempt. reason says why there is no address for them; it is null if there is one. Both sides read the same.
        Sellers call it with the scope orders:read.

        order_id: The id of the order.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", f"/me/orders/{segment(order_id)}/edi", repeatable=True, query={"limit": limit, "cursor": cursor})
        return read(received, models.EdiMailList)

    def iter_received_edi_mails(self, order_id: str, *, limit: int | None = None) -> Iterator[models.EdiMail]:
        """Each of `list_received_edi_mails`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_received_edi_mails(order_id, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def resend_received_edi_mail(
        self, order_id: str, body: models.ResendEdi | RawBody | None = None, *, idempotency_key: str | None = None
    ) -> models.EdiMail:
        """Send a document of a received order again.

        Queues the document of one mail, or without message_id that of the order's state, once more: the same document under a
        new Message-ID, to the address that the agreement has when it is sent. It does not wait for the mail server. With an
        Idempotency-Key the same bytes replay the stored reply; without one each call sends the document again, at most 20 times
        in 24 hours for each order and side. No event follows: read the mail. Sellers call it with the scope orders:approve.

        order_id: The id of the order.
        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send(
            "POST",
            f"/me/orders/{segment(order_id)}/edi",
            repeatable=True,
            headers={"Idempotency-Key": idempotency_key or new_key()},
            body=body,
        )
        return read(received, models.EdiMail)

    def get_received_edi_document(self, order_id: str, message_id: str, *, format: Literal["scx", "csv"] | str | None = None) -> File:
        """Get the document of a mail of a received order.

        Returns the bytes of the document that a mail carries, as they are or were sent; with format=csv the csv form, if the
        mail carries one. A document is made at the first attempt of its mail: until then, and for a mail that was skipped, it
        is 409 INVALID_STATE. Sellers call it with the scope orders:read.

        order_id: The id of the order.
        message_id: The id of the mail.
        format: The form of the document; scx if the mail carries it, else csv.
        """
        return read_file(
            self._send(
                "GET", f"/me/orders/{segment(order_id)}/edi/{segment(message_id)}/document", repeatable=True, query={"format": format}
            )
        )

    def list_invoices(
        self,
        *,
        seller: str | None = None,
        agreement: str | None = None,
        order_id: str | None = None,
        broadcast_month: str | None = None,
        status: Literal["issued", "paid", "credited"] | str | None = None,
        kind: Literal["invoice", "credit_note"] | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.InvoiceList:
        """List your invoices.

        Returns the invoices and credit notes on the buyer's cleared trades, newest first and without their lines. A list of one
        agreement and one broadcast_month is the statement of that month: its totals sum every page. Buyers call it with the
        scope settlement:read.

        seller: Returns only invoices of this seller.
        agreement: Returns only invoices under this agreement.
        order_id: Returns only invoices of this order.
        broadcast_month: Returns only entries of this broadcast month.
        status: Returns only entries with this status; all entries if omitted.
        kind: Returns only entries of this kind.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET",
            "/settlement/invoices",
            repeatable=True,
            query={
                "seller": seller,
                "agreement": agreement,
                "order_id": order_id,
                "broadcast_month": broadcast_month,
                "status": status,
                "kind": kind,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return read(received, models.InvoiceList)

    def iter_invoices(
        self,
        *,
        seller: str | None = None,
        agreement: str | None = None,
        order_id: str | None = None,
        broadcast_month: str | None = None,
        status: Literal["issued", "paid", "credited"] | str | None = None,
        kind: Literal["invoice", "credit_note"] | str | None = None,
        limit: int | None = None,
    ) -> Iterator[models.InvoiceSummary]:
        """Each of `list_invoices`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_invoices(
                seller=seller,
                agreement=agreement,
                order_id=order_id,
                broadcast_month=broadcast_month,
                status=status,
                kind=kind,
                limit=limit,
                cursor=cursor,
            )
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_invoice(self, invoice_id: str) -> models.Invoice:
        """Get an invoice.

        Returns an invoice or a credit note of the buyer with its lines. An invoice never changes; what is credited of it is in
        credit notes. Buyers call it with the scope settlement:read.

        invoice_id: The id of the invoice or credit note.
        """
        received = self._send("GET", f"/settlement/invoices/{segment(invoice_id)}", repeatable=True)
        return read(received, models.Invoice)

    def list_issued_invoices(
        self,
        *,
        buyer_entity: str | None = None,
        agreement: str | None = None,
        order_id: str | None = None,
        broadcast_month: str | None = None,
        status: Literal["issued", "paid", "credited"] | str | None = None,
        kind: Literal["invoice", "credit_note"] | str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.InvoiceList:
        """List the invoices issued for you.

        Returns the invoices and credit notes on the seller's cleared trades, newest first and without their lines. A list of
        one agreement and one broadcast_month is the statement of that month: its totals sum every page. Sellers call it with
        the scope settlement:read.

        buyer_entity: Returns only invoices to this buyer.
        agreement: Returns only invoices under this agreement.
        order_id: Returns only invoices of this order.
        broadcast_month: Returns only entries of this broadcast month.
        status: Returns only entries with this status; all entries if omitted.
        kind: Returns only entries of this kind.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET",
            "/me/settlement/invoices",
            repeatable=True,
            query={
                "buyer_entity": buyer_entity,
                "agreement": agreement,
                "order_id": order_id,
                "broadcast_month": broadcast_month,
                "status": status,
                "kind": kind,
                "limit": limit,
                "cursor": cursor,
            },
        )
        return read(received, models.InvoiceList)

    def iter_issued_invoices(
        self,
        *,
        buyer_entity: str | None = None,
        agreement: str | None = None,
        order_id: str | None = None,
        broadcast_month: str | None = None,
        status: Literal["issued", "paid", "credited"] | str | None = None,
        kind: Literal["invoice", "credit_note"] | str | None = None,
        limit: int | None = None,
    ) -> Iterator[models.InvoiceSummary]:
        """Each of `list_issued_invoices`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_issued_invoices(
                buyer_entity=buyer_entity,
                agreement=agreement,
                order_id=order_id,
                broadcast_month=broadcast_month,
                status=status,
                kind=kind,
                limit=limit,
                cursor=cursor,
            )
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_issued_invoice(self, invoice_id: str) -> models.Invoice:
        """Get an invoice issued for you.

        Returns an invoice or a credit note of the seller with its lines. An invoice never changes; what is credited of it is in
        credit notes. Sellers call it with the scope settlement:read.

        invoice_id: The id of the invoice or credit note.
        """
        received = self._send("GET", f"/me/settlement/invoices/{segment(invoice_id)}", repeatable=True)
        return read(received, models.Invoice)

    def mark_invoice_paid(self, invoice_id: str, body: models.MarkPaid | RawBody | None = None) -> models.PaidInvoice:
        """Mark an invoice as paid.

        Records that the buyer has paid an invoice whole, less its credit notes; it no longer counts in the exposure under the
        agreement. Sending it again changes nothing and returns the invoice as it was marked first. A credit note, and an
        invoice that credit notes credit whole, is 409 INVALID_STATE. No event follows. Sellers call it with the scope
        settlement:write.

        invoice_id: The id of the invoice or credit note.
        """
        received = self._send("POST", f"/me/settlement/invoices/{segment(invoice_id)}/paid", repeatable=True, body=body)
        return read(received, models.PaidInvoice)

    def issue_invoices_as_of(self, body: models.IssueAsOf | RawBody) -> models.IssuedAsOf:
        """Issue invoices as of a time.

        In the sandbox only, elsewhere 404: issues the seller's invoices for every broadcast month that has cleared by as_of, so
        that a test need not wait for the end of a month. A call invoices at most 200 orders; send it again while has_more is
        true. A month that was invoiced before its order was canceled gets what has changed: an invoice of the late fee, a
        credit note of the dates that are no longer billed. settlement.invoice_issued follows for each. Sellers call it with the
        scope settlement:write.
        """
        received = self._send("POST", "/sandbox/settlement", repeatable=True, body=body)
        return read(received, models.IssuedAsOf)

    def get_reconciliation(
        self,
        order_id: str,
        *,
        code: Literal[
            "ORDERED_NOT_RUN",
            "MISSED",
            "MAKEGOOD",
            "WRONG_DATE",
            "OUT_OF_DAYPART",
            "WRONG_LENGTH",
            "WRONG_COPY",
            "RATE_MISMATCH",
            "BILLED_NOT_RUN",
            "RUN_NOT_BILLED",
            "RUN_NOT_ORDERED",
            "DUPLICATE",
        ]
        | str
        | None = None,
        state: Literal["open", "accepted", "disputed", "credited", "upheld", "gone"] | str | None = None,
        broadcast_month: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.Reconciliation:
        """Get the reconciliation of an order.

        Returns the reconciliation of one of the buyer's orders: what it books, what aired and what the seller billed, line by
        line, with the variances and what was done about them. Before the first result the revision is 0 and there are no lines.
        With code or state it returns only variances that have it, and only lines that have such a variance; a page may have
        fewer lines than its limit. If the revision changes between two pages, begin again. Buyers call it with the scope
        settlement:read.

        order_id: The id of the order.
        code: Returns only variances with this code, or orders that have one.
        state: Returns only variances in this state.
        broadcast_month: Returns only entries of this broadcast month.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET",
            f"/orders/{segment(order_id)}/reconciliation",
            repeatable=True,
            query={"code": code, "state": state, "broadcast_month": broadcast_month, "limit": limit, "cursor": cursor},
        )
        return read(received, models.Reconciliation)

    def iter_reconciliation(
        self,
        order_id: str,
        *,
        code: Literal[
            "ORDERED_NOT_RUN",
            "MISSED",
            "MAKEGOOD",
            "WRONG_DATE",
            "OUT_OF_DAYPART",
            "WRONG_LENGTH",
            "WRONG_COPY",
            "RATE_MISMATCH",
            "BILLED_NOT_RUN",
            "RUN_NOT_BILLED",
            "RUN_NOT_ORDERED",
            "DUPLICATE",
        ]
        | str
        | None = None,
        state: Literal["open", "accepted", "disputed", "credited", "upheld", "gone"] | str | None = None,
        broadcast_month: str | None = None,
        limit: int | None = None,
    ) -> Iterator[models.ReconciliationLine]:
        """Each of `get_reconciliation`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.get_reconciliation(order_id, code=code, state=state, broadcast_month=broadcast_month, limit=limit, cursor=cursor)
            for item in page.lines:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def answer_variance(
        self, order_id: str, variance_id: str, body: models.AnswerVariance | RawBody, *, idempotency_key: str | None = None
    ) -> models.ActedVariance:
        """Accept or dispute a variance.

        Accepts a variance that is open, credited or upheld, or disputes it, which takes its spot out of undisputed_gross of the
        invoice until it is accepted, credited or gone. Actions are kept, and one that the state of the variance does not allow
        is 409 INVALID_STATE with the state in details. With an Idempotency-Key a retry of the same bytes changes nothing,
        whatever was done since, and is answered with the variance as it is now; other bytes are 409 CONFLICT; without a key an
        exact repeat of the last action changes nothing. No event follows; the change reads show it. Buyers call it with the
        scope orders:write.

        order_id: The id of the order.
        variance_id: The id of the variance.
        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send(
            "POST",
            f"/orders/{segment(order_id)}/reconciliation/variances/{segment(variance_id)}",
            repeatable=True,
            headers={"Idempotency-Key": idempotency_key or new_key()},
            body=body,
        )
        return read(received, models.ActedVariance)

    def get_received_reconciliation(
        self,
        order_id: str,
        *,
        code: Literal[
            "ORDERED_NOT_RUN",
            "MISSED",
            "MAKEGOOD",
            "WRONG_DATE",
            "OUT_OF_DAYPART",
            "WRONG_LENGTH",
            "WRONG_COPY",
            "RATE_MISMATCH",
            "BILLED_NOT_RUN",
            "RUN_NOT_BILLED",
            "RUN_NOT_ORDERED",
            "DUPLICATE",
        ]
        | str
        | None = None,
        state: Literal["open", "accepted", "disputed", "credited", "upheld", "gone"] | str | None = None,
        broadcast_month: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.Reconciliation:
        """Get the reconciliation of an order you received.

        Returns the reconciliation of one of the seller's orders: what it books, what aired and what the seller billed, line by
        line, with the variances and what was done about them. Before the first result the revision is 0 and there are no lines.
        With code or state it returns only variances that have it, and only lines that have such a variance; a page may have
        fewer lines than its limit. If the revision changes between two pages, begin again. Sellers call it with the scope
        settlement:read.

        order_id: The id of the order.
        code: Returns only variances with this code, or orders that have one.
        state: Returns only variances in this state.
        broadcast_month: Returns only entries of this broadcast month.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET",
            f"/me/orders/{segment(order_id)}/reconciliation",
            repeatable=True,
            query={"code": code, "state": state, "broadcast_month": broadcast_month, "limit": limit, "cursor": cursor},
        )
        return read(received, models.Reconciliation)

    def iter_received_reconciliation(
        self,
        order_id: str,
        *,
        code: Literal[
            "ORDERED_NOT_RUN",
            "MISSED",
            "MAKEGOOD",
            "WRONG_DATE",
            "OUT_OF_DAYPART",
            "WRONG_LENGTH",
            "WRONG_COPY",
            "RATE_MISMATCH",
            "BILLED_NOT_RUN",
            "RUN_NOT_BILLED",
            "RUN_NOT_ORDERED",
            "DUPLICATE",
        ]
        | str
        | None = None,
        state: Literal["open", "accepted", "disputed", "credited", "upheld", "gone"] | str | None = None,
        broadcast_month: str | None = None,
        limit: int | None = None,
    ) -> Iterator[models.ReconciliationLine]:
        """Each of `get_received_reconciliation`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.get_received_reconciliation(
                order_id, code=code, state=state, broadcast_month=broadcast_month, limit=limit, cursor=cursor
            )
            for item in page.lines:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def settle_variance(
        self, order_id: str, variance_id: str, body: models.SettleVariance | RawBody, *, idempotency_key: str | None = None
    ) -> models.ActedVariance:
        """Credit or uphold a disputed variance.

        Credits a disputed variance, in full or by an amount, or upholds it. On a cleared order the credit of a spot that the
        invoice bills is a credit note, with settlement.invoice_issued to both sides; other credits are recorded alone. Actions
        are kept, and one that the state of the variance does not allow is 409 INVALID_STATE with the state in details. With an
        Idempotency-Key a retry of the same bytes changes nothing, whatever was done since, and is answered with the variance as
        it is now; other bytes are 409 CONFLICT; without a key an exact repeat of the last action changes nothing, and a credit
        with the bytes of an earlier one is 409 CONFLICT. Sellers call it with the scope orders:approve.

        order_id: The id of the order.
        variance_id: The id of the variance.
        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send(
            "POST",
            f"/me/orders/{segment(order_id)}/reconciliation/variances/{segment(variance_id)}",
            repeatable=True,
            headers={"Idempotency-Key": idempotency_key or new_key()},
            body=body,
        )
        return read(received, models.ActedVariance)

    def list_reconciled_orders(
        self,
        *,
        after: str | None = None,
        code: Literal[
            "ORDERED_NOT_RUN",
            "MISSED",
            "MAKEGOOD",
            "WRONG_DATE",
            "OUT_OF_DAYPART",
            "WRONG_LENGTH",
            "WRONG_COPY",
            "RATE_MISMATCH",
            "BILLED_NOT_RUN",
            "RUN_NOT_BILLED",
            "RUN_NOT_ORDERED",
            "DUPLICATE",
        ]
        | str
        | None = None,
        broadcast_month: str | None = None,
        limit: int | None = None,
    ) -> models.ReconciledOrders:
        """List your orders whose reconciliation changed.

        Returns the buyer's orders whose reconciliation has changed, each once, at its last change, in the order of changes;
        next_cursor continues from there and is never null. A new result changes it, and so does an action on a variance. It
        acknowledges nothing: the same cursor returns the same and later changes again. Buyers call it with the scope
        settlement:read.

        after: The next_cursor of the previous page; every reconciled order if omitted.
        code: Returns only variances with this code, or orders that have one.
        broadcast_month: Returns only entries of this broadcast month.
        limit: The highest number of entries on the page.
        """
        received = self._send(
            "GET",
            "/settlement/reconciliation",
            repeatable=True,
            query={"after": after, "code": code, "broadcast_month": broadcast_month, "limit": limit},
        )
        return read(received, models.ReconciledOrders)

    def list_received_reconciled_orders(
        self,
        *,
        after: str | None = None,
        code: Literal[
            "ORDERED_NOT_RUN",
            "MISSED",
            "MAKEGOOD",
            "WRONG_DATE",
            "OUT_OF_DAYPART",
            "WRONG_LENGTH",
            "WRONG_COPY",
            "RATE_MISMATCH",
            "BILLED_NOT_RUN",
            "RUN_NOT_BILLED",
            "RUN_NOT_ORDERED",
            "DUPLICATE",
        ]
        | str
        | None = None,
        broadcast_month: str | None = None,
        limit: int | None = None,
    ) -> models.ReconciledOrders:
        """List the orders you received whose reconciliation changed.

        Returns the seller's orders whose reconciliation has changed, each once, at its last change, in the order of changes;
        next_cursor continues from there and is never null. A new result changes it, and so does an action on a variance. It
        acknowledges nothing: the same cursor returns the same and later changes again. Sellers call it with the scope
        settlement:read.

        after: The next_cursor of the previous page; every reconciled order if omitted.
        code: Returns only variances with this code, or orders that have one.
        broadcast_month: Returns only entries of this broadcast month.
        limit: The highest number of entries on the page.
        """
        received = self._send(
            "GET",
            "/me/settlement/reconciliation",
            repeatable=True,
            query={"after": after, "code": code, "broadcast_month": broadcast_month, "limit": limit},
        )
        return read(received, models.ReconciledOrders)

    def notice_makegood(
        self, order_id: str, body: models.NoticeMakegood | RawBody, *, idempotency_key: str | None = None
    ) -> models.Makegood:
        """Say that spots do not air, and offer others.

        Begins a makegood of a placed order: units that do not air, before their date or after it, and other spots as
        alternatives, if any are offered yet. An offer costs what it replaces, never more; the guidelines of the agreement may
        accept it at once. With an Idempotency-Key a retry of the same bytes changes nothing, whatever was done since, and is
        answered with the makegood as it is now; other bytes are 409 CONFLICT. No event follows; the change reads of
        reconciliation show it. Sellers call it with the scope orders:approve.

        order_id: The id of the order.
        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send(
            "POST",
            f"/me/orders/{segment(order_id)}/makegoods",
            repeatable=True,
            headers={"Idempotency-Key": idempotency_key or new_key()},
            body=body,
        )
        return read(received, models.Makegood)

    def list_received_order_makegoods(
        self,
        order_id: str,
        *,
        status: Literal["noticed", "offered", "accepted", "declined", "expired", "recalled", "credited"] | str | None = None,
        product: str | None = None,
        since: str | datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.MakegoodList:
        """List the makegoods of an order you received.

        Returns the makegoods of one of the seller's orders, newest first, each with its offers, what was agreed and credited,
        and its actions. Sellers call it with the scope orders:read.

        order_id: The id of the order.
        status: Returns only makegoods in this status.
        product: A product that is offered or replaced.
        since: Only makegoods that have changed at this time or later.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET",
            f"/me/orders/{segment(order_id)}/makegoods",
            repeatable=True,
            query={"status": status, "product": product, "since": since, "limit": limit, "cursor": cursor},
        )
        return read(received, models.MakegoodList)

    def iter_received_order_makegoods(
        self,
        order_id: str,
        *,
        status: Literal["noticed", "offered", "accepted", "declined", "expired", "recalled", "credited"] | str | None = None,
        product: str | None = None,
        since: str | datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[models.ListedMakegood]:
        """Each of `list_received_order_makegoods`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_received_order_makegoods(order_id, status=status, product=product, since=since, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def revise_makegood(
        self, order_id: str, makegood_id: str, body: models.ReviseMakegood | RawBody, *, idempotency_key: str | None = None
    ) -> models.Makegood:
        """Offer other spots, or recall a makegood.

        Puts offers in place of earlier ones, which raises the version, or takes the makegood back; one that is answered, over
        or of another version is 409 INVALID_STATE with its status and version. With an Idempotency-Key a retry of the same
        bytes changes nothing, whatever was done since, and is answered with the makegood as it is now; other bytes are 409
        CONFLICT. No event follows; the change reads of reconciliation show it. Sellers call it with the scope orders:approve.

        order_id: The id of the order.
        makegood_id: The id of the makegood.
        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send(
            "POST",
            f"/me/orders/{segment(order_id)}/makegoods/{segment(makegood_id)}",
            repeatable=True,
            headers={"Idempotency-Key": idempotency_key or new_key()},
            body=body,
        )
        return read(received, models.Makegood)

    def get_received_makegood(self, order_id: str, makegood_id: str) -> models.Makegood:
        """Get a makegood of an order you received.

        Returns one makegood of the seller's order. An offer whose time is over reads expired. Sellers call it with the scope
        orders:read.

        order_id: The id of the order.
        makegood_id: The id of the makegood.
        """
        received = self._send("GET", f"/me/orders/{segment(order_id)}/makegoods/{segment(makegood_id)}", repeatable=True)
        return read(received, models.Makegood)

    def answer_makegood(
        self, order_id: str, makegood_id: str, body: models.AnswerMakegood | RawBody, *, idempotency_key: str | None = None
    ) -> models.Makegood:
        """Accept, decline or ask credit for a makegood.

        Answers a version of a makegood; the first answer wins, and one that is answered, over or of another version is 409
        INVALID_STATE with its status and version. An accepted offer is what reconciliation and invoices expect; credit of a
        cleared order is a credit note on the invoice of the month, now or when that is issued. With an Idempotency-Key a retry
        of the same bytes changes nothing, whatever was done since, and is answered with the makegood as it is now; other bytes
        are 409 CONFLICT. No event follows; the change reads of reconciliation show it. Buyers call it with the scope
        orders:write.

        order_id: The id of the order.
        makegood_id: The id of the makegood.
        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send(
            "POST",
            f"/orders/{segment(order_id)}/makegoods/{segment(makegood_id)}",
            repeatable=True,
            headers={"Idempotency-Key": idempotency_key or new_key()},
            body=body,
        )
        return read(received, models.Makegood)

    def get_makegood(self, order_id: str, makegood_id: str) -> models.Makegood:
        """Get a makegood.

        Returns one makegood of the buyer's order. An offer whose time is over reads expired. Buyers call it with the scope
        orders:read.

        order_id: The id of the order.
        makegood_id: The id of the makegood.
        """
        received = self._send("GET", f"/orders/{segment(order_id)}/makegoods/{segment(makegood_id)}", repeatable=True)
        return read(received, models.Makegood)

    def list_order_makegoods(
        self,
        order_id: str,
        *,
        status: Literal["noticed", "offered", "accepted", "declined", "expired", "recalled", "credited"] | str | None = None,
        product: str | None = None,
        since: str | datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.MakegoodList:
        """List the makegoods of an order.

        Returns the makegoods of one of the buyer's orders, newest first, each with its offers, what was agreed and credited,
        and its actions. Buyers call it with the scope orders:read.

        order_id: The id of the order.
        status: Returns only makegoods in this status.
        product: A product that is offered or replaced.
        since: Only makegoods that have changed at this time or later.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET",
            f"/orders/{segment(order_id)}/makegoods",
            repeatable=True,
            query={"status": status, "product": product, "since": since, "limit": limit, "cursor": cursor},
        )
        return read(received, models.MakegoodList)

    def iter_order_makegoods(
        self,
        order_id: str,
        *,
        status: Literal["noticed", "offered", "accepted", "declined", "expired", "recalled", "credited"] | str | None = None,
        product: str | None = None,
        since: str | datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[models.ListedMakegood]:
        """Each of `list_order_makegoods`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_order_makegoods(order_id, status=status, product=product, since=since, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_makegoods(
        self,
        *,
        status: Literal["noticed", "offered", "accepted", "declined", "expired", "recalled", "credited"] | str | None = None,
        product: str | None = None,
        since: str | datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        order_id: str | None = None,
    ) -> models.MakegoodList:
        """List your makegoods.

        Returns the makegoods of all of the buyer's orders, newest first, each with its offers, what was agreed and credited,
        and its actions. Buyers call it with the scope orders:read.

        status: Returns only makegoods in this status.
        product: A product that is offered or replaced.
        since: Only makegoods that have changed at this time or later.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        order_id: The id of the order.
        """
        received = self._send(
            "GET",
            "/makegoods",
            repeatable=True,
            query={"status": status, "product": product, "since": since, "limit": limit, "cursor": cursor, "order_id": order_id},
        )
        return read(received, models.MakegoodList)

    def iter_makegoods(
        self,
        *,
        status: Literal["noticed", "offered", "accepted", "declined", "expired", "recalled", "credited"] | str | None = None,
        product: str | None = None,
        since: str | datetime | None = None,
        limit: int | None = None,
        order_id: str | None = None,
    ) -> Iterator[models.ListedMakegood]:
        """Each of `list_makegoods`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_makegoods(status=status, product=product, since=since, limit=limit, order_id=order_id, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_received_makegoods(
        self,
        *,
        status: Literal["noticed", "offered", "accepted", "declined", "expired", "recalled", "credited"] | str | None = None,
        product: str | None = None,
        since: str | datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        order_id: str | None = None,
    ) -> models.MakegoodList:
        """List the makegoods that you noticed.

        Returns the makegoods of all of the seller's orders, newest first, each with its offers, what was agreed and credited,
        and its actions. Sellers call it with the scope orders:read.

        status: Returns only makegoods in this status.
        product: A product that is offered or replaced.
        since: Only makegoods that have changed at this time or later.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        order_id: The id of the order.
        """
        received = self._send(
            "GET",
            "/me/makegoods",
            repeatable=True,
            query={"status": status, "product": product, "since": since, "limit": limit, "cursor": cursor, "order_id": order_id},
        )
        return read(received, models.MakegoodList)

    def iter_received_makegoods(
        self,
        *,
        status: Literal["noticed", "offered", "accepted", "declined", "expired", "recalled", "credited"] | str | None = None,
        product: str | None = None,
        since: str | datetime | None = None,
        limit: int | None = None,
        order_id: str | None = None,
    ) -> Iterator[models.ListedMakegood]:
        """Each of `list_received_makegoods`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_received_makegoods(status=status, product=product, since=since, limit=limit, order_id=order_id, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def create_webhook_endpoint(
        self, body: models.CreateEndpoint | RawBody, *, idempotency_key: str | None = None
    ) -> models.EndpointCreated:
        """Register a webhook endpoint.

        Registers a URL that events are posted to and allowlists it as notify_url. Its signing secret is shown in this reply
        only. Each call creates another endpoint, also for the same URL, unless its Idempotency-Key repeats an earlier one.
        Events that happen from now on are delivered; earlier ones are not: read the feed. Buyers and sellers call it with the
        scope webhooks:write.

        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send(
            "POST", "/webhooks/endpoints", repeatable=True, headers={"Idempotency-Key": idempotency_key or new_key()}, body=body
        )
        return read(received, models.EndpointCreated)

    def list_webhook_endpoints(self, *, limit: int | None = None, cursor: str | None = None) -> models.EndpointList:
        """List webhook endpoints.

        Returns the caller's registered endpoints, oldest first. Secrets are not included. Buyers and sellers call it with the
        scope webhooks:write.

        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/webhooks/endpoints", repeatable=True, query={"limit": limit, "cursor": cursor})
        return read(received, models.EndpointList)

    def iter_webhook_endpoints(self, *, limit: int | None = None) -> Iterator[models.WebhookEndpoint]:
        """Each of `list_webhook_endpoints`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_webhook_endpoints(limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_webhook_endpoint(self, endpoint_id: str) -> models.WebhookEndpoint:
        """Get a webhook endpoint.

        Returns one of the caller's endpoints, with the reason where it is disabled. Its secret is not included. Buyers and
        sellers call it with the scope webhooks:write.

        endpoint_id: The id of a webhook endpoint.
        """
        received = self._send("GET", f"/webhooks/endpoints/{segment(endpoint_id)}", repeatable=True)
        return read(received, models.WebhookEndpoint)

    def change_webhook_endpoint(self, endpoint_id: str, body: models.ChangeEndpoint | RawBody) -> models.WebhookEndpoint:
        """Change a webhook endpoint.

        Changes the URL or the filters of an endpoint, on the authority of the calling credential; members left out stay as they
        are, and null selects everything. Its id, its secrets and its log stay. What waits is sent to the new URL, and the new
        filters select events that happen from now on. Buyers and sellers call it with the scope webhooks:write.

        endpoint_id: The id of a webhook endpoint.
        """
        received = self._send("PATCH", f"/webhooks/endpoints/{segment(endpoint_id)}", repeatable=True, body=body)
        return read(received, models.WebhookEndpoint)

    def delete_webhook_endpoint(self, endpoint_id: str) -> None:
        """Delete a webhook endpoint.

        Removes an endpoint and drops the deliveries that are waiting for it. Deleting twice changes nothing. Events are not
        lost: the feed still has them. Buyers and sellers call it with the scope webhooks:write.

        endpoint_id: The id of a webhook endpoint.
        """
        self._send("DELETE", f"/webhooks/endpoints/{segment(endpoint_id)}", repeatable=True)

    def enable_webhook_endpoint(self, endpoint_id: str) -> models.WebhookEndpoint:
        """Enable a webhook endpoint.

        Makes a disabled endpoint active again, on the authority of the calling credential. It does not send what was dropped in
        the meantime: redeliver a range for that. Enabling an active endpoint keeps it active. Buyers and sellers call it with
        the scope webhooks:write.

        endpoint_id: The id of a webhook endpoint.
        """
        received = self._send("POST", f"/webhooks/endpoints/{segment(endpoint_id)}/enable", repeatable=True)
        return read(received, models.WebhookEndpoint)

    def rotate_webhook_secret(
        self, endpoint_id: str, body: models.RotateSecret | RawBody | None = None, *, idempotency_key: str | None = None
    ) -> models.SecretRotated:
        """Rotate a webhook secret.

        Creates a new signing secret and returns it once. The previous secret signs as well for another 24 hours; with
        expire_previous now no earlier secret signs any more, for one that has leaked. Each call rotates again, unless its
        Idempotency-Key repeats an earlier one. Buyers and sellers call it with the scope webhooks:write.

        endpoint_id: The id of a webhook endpoint.
        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send(
            "POST",
            f"/webhooks/endpoints/{segment(endpoint_id)}/rotate-secret",
            repeatable=True,
            headers={"Idempotency-Key": idempotency_key or new_key()},
            body=body,
        )
        return read(received, models.SecretRotated)

    def test_webhook_endpoint(
        self, endpoint_id: str, body: models.TestEndpoint | RawBody | None = None, *, idempotency_key: str | None = None
    ) -> models.TestDelivery:
        """Send a test event.

        Queues a webhook.test event for an endpoint and returns its delivery, which does not wait for the receiver. The event is
        in no order's log and on no feed. Each call sends another one. In the sandbox event_type names any type, of which a
        whole example is posted; in production it is 422. Buyers and sellers call it with the scope webhooks:write.

        endpoint_id: The id of a webhook endpoint.
        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send(
            "POST",
            f"/webhooks/endpoints/{segment(endpoint_id)}/test",
            repeatable=True,
            headers={"Idempotency-Key": idempotency_key or new_key()},
            body=body,
        )
        return read(received, models.TestDelivery)

    def list_deliveries(
        self,
        endpoint_id: str,
        *,
        status: Literal["pending", "delivered", "dropped"] | str | None = None,
        order_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.DeliveryList:
        """List deliveries.

        Returns the deliveries of one endpoint with their attempts, newest first, for 30 days. Events that the caller's
        credential may not read are left out. Buyers and sellers call it with the scope webhooks:write.

        endpoint_id: The id of a webhook endpoint.
        status: Returns only entries with this status; all entries if omitted.
        order_id: Returns only deliveries of events of this order.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET",
            f"/webhooks/endpoints/{segment(endpoint_id)}/deliveries",
            repeatable=True,
            query={"status": status, "order_id": order_id, "limit": limit, "cursor": cursor},
        )
        return read(received, models.DeliveryList)

    def iter_deliveries(
        self,
        endpoint_id: str,
        *,
        status: Literal["pending", "delivered", "dropped"] | str | None = None,
        order_id: str | None = None,
        limit: int | None = None,
    ) -> Iterator[models.Delivery]:
        """Each of `list_deliveries`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_deliveries(endpoint_id, status=status, order_id=order_id, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def redeliver(self, endpoint_id: str, delivery_id: str, *, idempotency_key: str | None = None) -> models.Delivery:
        """Redeliver one delivery.

        Sends the event of one delivery again, as a new delivery with the same event_id. It does not wait for the receiver. Each
        call sends it once more. Buyers and sellers call it with the scope webhooks:write.

        endpoint_id: The id of a webhook endpoint.
        delivery_id: The id of one delivery of one event to one endpoint.
        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send(
            "POST",
            f"/webhooks/endpoints/{segment(endpoint_id)}/deliveries/{segment(delivery_id)}/redeliver",
            repeatable=True,
            headers={"Idempotency-Key": idempotency_key or new_key()},
        )
        return read(received, models.Delivery)

    def redeliver_range(
        self, endpoint_id: str, body: models.RedeliverRange | RawBody, *, idempotency_key: str | None = None
    ) -> models.RangeRedelivered:
        """Redeliver a time range.

        Sends again what was first sent to an endpoint in a range of time and was dropped (or, if asked, delivered), oldest
        first. With skip_delivered it leaves out what has since been delivered. It does not wait for the receiver. Each call
        sends the range once more, so receivers deduplicate by event_id. Buyers and sellers call it with the scope
        webhooks:write.

        endpoint_id: The id of a webhook endpoint.
        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send(
            "POST",
            f"/webhooks/endpoints/{segment(endpoint_id)}/redeliver",
            repeatable=True,
            headers={"Idempotency-Key": idempotency_key or new_key()},
            body=body,
        )
        return read(received, models.RangeRedelivered)

    def replay_events(self, *, order: str, after_seq: str | None = None, limit: int | None = None) -> models.EventReplay:
        """Replay the events of an order.

        Returns the events of one order after a seq, in order. Both sides read the same events. It changes nothing and can be
        repeated from any seq. Buyers and sellers call it with the scope orders:read.

        order: The id of the order whose events are read.
        after_seq: Returns only events after this seq; all events if omitted.
        limit: The highest number of entries on the page.
        """
        received = self._send("GET", "/events", repeatable=True, query={"order": order, "after_seq": after_seq, "limit": limit})
        return read(received, models.EventReplay)

    def read_feed(
        self,
        *,
        after: str | None = None,
        events: str | Sequence[str] | None = None,
        statuses: str | Sequence[str] | None = None,
        limit: int | None = None,
        wait_s: int | None = None,
    ) -> models.EventFeed:
        """Read the event feed.

        Returns every event of the tenant that its credential may read, in order, after a cursor; next_cursor continues from
        there. With wait_s the call waits for the next event. It acknowledges nothing: the same cursor returns the same events
        again. Buyers and sellers call it with the scope orders:read.

        after: The next_cursor of the previous page; the beginning of the feed if omitted. now returns the cursor of the end at
            once, without events.
        events: Event types, separated by commas; all types if omitted.
        statuses: Statuses to which order.status_changed is restricted, separated by commas; all statuses if omitted.
        limit: The highest number of entries on the page.
        wait_s: The time to wait for an event if there is none, in seconds.
        """
        received = self._send(
            "GET",
            "/events/feed",
            repeatable=True,
            query={"after": after, "events": events, "statuses": statuses, "limit": limit, "wait_s": wait_s},
        )
        return read(received, models.EventFeed)

    def get_queue_delivery(self) -> models.QueueDelivery:
        """Get queue delivery.

        Returns the exchange and queue that the tenant's events are published to, and whether the broker has confirmed all of
        them. Without a queue delivery it is 404. Buyers and sellers call it with the scope webhooks:write.
        """
        received = self._send("GET", "/events/queue", repeatable=True)
        return read(received, models.QueueDelivery)

    def put_queue_delivery(self, body: models.PutQueueDelivery | RawBody) -> models.QueueDelivery:
        """Set up queue delivery.

        Has the platform publish the tenant's events to a message queue of its own, beside or instead of webhooks, or changes
        the filters of an existing delivery. Sending the same body again changes nothing. Messages arrive at least once, in the
        order of each order's seq. Buyers and sellers call it with the scope webhooks:write.
        """
        received = self._send("PUT", "/events/queue", repeatable=True, body=body)
        return read(received, models.QueueDelivery)

    def delete_queue_delivery(self) -> None:
        """End queue delivery.

        Stops publishing events to the message queue. Messages already in the queue stay there, and the feed still has every
        event. Buyers and sellers call it with the scope webhooks:write.
        """
        self._send("DELETE", "/events/queue", repeatable=True)

    def search(self, *, q: str) -> models.SearchReply:
        """Search what you have.

        Returns the orders, products and trading partners of the tenant that have every word of q: titles, networks, dayparts,
        names, order ids, advertisers. Products and partners need the scope catalog:read, and are left out without it. It
        searches the newest orders, and the beginning of external_order_id of all of them. Buyers and sellers call it with the
        scope orders:read.

        q: Words, each of which must be in what is found: a title, network, daypart, party, order id, advertiser or product.
        """
        received = self._send("GET", "/search", repeatable=True, query={"q": q})
        return read(received, models.SearchReply)

    def list_sandbox_mails(
        self, *, limit: int | None = None, cursor: str | None = None, order_id: str | None = None
    ) -> models.SandboxMailList:
        """List mails of the sandbox.

        Returns the mails of the caller's own orders that reached the sandbox's mailbox, newest first; order_id shows those of
        one order. The mailbox keeps the newest 1,000 mails of all orders. It is empty where SMTP_URL names a mail server, and
        404 in production. Buyers and sellers call it with the scope orders:read.

        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        order_id: Shows the mails of this order only.
        """
        received = self._send("GET", "/sandbox/mail", repeatable=True, query={"limit": limit, "cursor": cursor, "order_id": order_id})
        return read(received, models.SandboxMailList)

    def iter_sandbox_mails(self, *, limit: int | None = None, order_id: str | None = None) -> Iterator[models.SandboxMail]:
        """Each of `list_sandbox_mails`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_sandbox_mails(limit=limit, order_id=order_id, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_sandbox_mail(self, mail_id: str) -> File:
        """Get a mail of the sandbox.

        Returns a mail of one of the caller's own orders as the mailbox received it, byte for byte. In production it is 404.
        Buyers and sellers call it with the scope orders:read.

        mail_id: The id of a mail in the mailbox of the sandbox.
        """
        return read_file(self._send("GET", f"/sandbox/mail/{segment(mail_id)}", repeatable=True))

    def make_tenant(self, body: models.MakeTenant | RawBody, *, idempotency_key: str | None = None) -> models.FreshTenant:
        """Make a tenant.

        In the sandbox only: makes a buyer or a seller that nobody knows yet, for one run of a test suite, with a token of every
        scope of its side that is shown in this reply only. Both end after a week. A credential makes 20 in any 24 hours. Each
        call makes another tenant, unless its Idempotency-Key repeats an earlier one. Buyers and sellers call it with the scope
        orders:read.

        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send(
            "POST", "/sandbox/tenants", repeatable=True, headers={"Idempotency-Key": idempotency_key or new_key()}, body=body
        )
        return read(received, models.FreshTenant)

    def order_from_seller(
        self, body: models.SandboxOrder | RawBody | None = None, *, idempotency_key: str | None = None
    ) -> models.SandboxOrderCreated:
        """Get an order from the buyer of the sandbox.

        In the sandbox only: the sandbox's buyer orders from the caller what it has on sale, and then answers as then says. The
        reply comes once it has ordered, or after ten seconds with status requested: it orders all the same. Each call places
        another order, at most 60 a minute with a credential, unless its Idempotency-Key repeats an earlier one. The events of
        the order follow. Sellers call it with the scope orders:approve.

        idempotency_key: The caller's own key of the request. The same key with the same bytes replays the stored reply.
        """
        received = self._send(
            "POST", "/sandbox/orders", repeatable=True, headers={"Idempotency-Key": idempotency_key or new_key()}, body=body
        )
        return read(received, models.SandboxOrderCreated)

    def get_demanded_order(self, external_order_id: str) -> models.SandboxOrderCreated:
        """See what became of an order on demand.

        In the sandbox only: says whether the order that the caller has asked for is placed, with its order_id, or why the buyer
        could not order. It is kept for a week. Sellers call it with the scope orders:read.

        external_order_id: The external_order_id that the order on demand was answered with.
        """
        received = self._send("GET", f"/sandbox/orders/{segment(external_order_id)}", repeatable=True)
        return read(received, models.SandboxOrderCreated)

    def elapse_deadline(self, order_id: str, body: models.Elapse | RawBody) -> models.ElapsedReply:
        """Let a deadline of an order pass.

        In the sandbox only: the named deadline of the order counts as passed, for the deadlines of its present step alone;
        stamps stay those of the calls, and as_of of a command goes before it. What the lapse writes is written when the reply
        comes. Time never goes back. A deadline that the order does not have is 409 INVALID_STATE with those that it has. Buyers
        and sellers call it with the scope orders:read.

        order_id: The id of the order.
        """
        received = self._send("POST", f"/sandbox/orders/{segment(order_id)}/elapse", repeatable=False, body=body)
        return read(received, models.ElapsedReply)

    def elapse_hold(self, hold_id: str) -> models.Hold:
        """Let the time of a hold pass.

        In the sandbox only: the time of one of the buyer's holds is over now, and its run does what follows. A hold that was
        used, released or is over is 409 INVALID_STATE. Buyers call it with the scope orders:write.

        hold_id: The id of the hold.
        """
        received = self._send("POST", f"/sandbox/holds/{segment(hold_id)}/elapse", repeatable=False)
        return read(received, models.Hold)

    def get_credential(self) -> models.CredentialRead:
        """Get your credential.

        Returns the tenant, the side and the scopes of the calling credential, and the time of the service. It shows no token
        and needs no scope, so that a program can say what it lacks. Every credential may call it.
        """
        received = self._send("GET", "/credential", repeatable=True)
        return read(received, models.CredentialRead)

    def list_refused_requests(
        self,
        *,
        since: str | datetime | None = None,
        status: int | None = None,
        request_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.RefusedRequestList:
        """List refused requests.

        Returns the tenant's requests of the last seven days that were refused or failed, newest first, with their codes and
        pointers. Bodies, queries and tokens are never kept. Of a flood only some are noted, so the list is for finding mistakes
        and not for counting. Buyers and sellers call it with the scope audit:read.

        since: Returns only requests answered at this UTC time or later.
        status: Returns only requests answered with this status.
        request_id: Returns only the request with this X-Request-Id.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET",
            "/requests",
            repeatable=True,
            query={"since": since, "status": status, "request_id": request_id, "limit": limit, "cursor": cursor},
        )
        return read(received, models.RefusedRequestList)

    def iter_refused_requests(
        self, *, since: str | datetime | None = None, status: int | None = None, request_id: str | None = None, limit: int | None = None
    ) -> Iterator[models.RefusedRequest]:
        """Each of `list_refused_requests`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_refused_requests(since=since, status=status, request_id=request_id, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_audit(
        self,
        *,
        action: str | Sequence[str] | None = None,
        from_: str | datetime | None = None,
        to: str | datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SecurityEventList:
        """List audit log entries.

        Returns what changed for the tenant and who changed it, newest first: tokens, rules, capabilities, secrets, agreements,
        endpoints and refused sign-ins. Order events are not included, and no entry shows a secret. Buyers call it with the
        scope audit:read.

        action: Actions, separated by commas; all actions if omitted.
        from_: Returns only entries from this UTC time on, inclusive.
        to: Returns only entries before this UTC time.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET", "/audit", repeatable=True, query={"action": action, "from": from_, "to": to, "limit": limit, "cursor": cursor}
        )
        return read(received, models.SecurityEventList)

    def iter_audit(
        self,
        *,
        action: str | Sequence[str] | None = None,
        from_: str | datetime | None = None,
        to: str | datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[models.SecurityEvent]:
        """Each of `list_audit`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_audit(action=action, from_=from_, to=to, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_own_audit(
        self,
        *,
        action: str | Sequence[str] | None = None,
        from_: str | datetime | None = None,
        to: str | datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SecurityEventList:
        """List audit log entries.

        Returns what changed for the tenant and who changed it, newest first: tokens, rules, capabilities, secrets, agreements,
        endpoints and refused sign-ins. Order events are not included, and no entry shows a secret. Sellers call it with the
        scope audit:read.

        action: Actions, separated by commas; all actions if omitted.
        from_: Returns only entries from this UTC time on, inclusive.
        to: Returns only entries before this UTC time.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET", "/me/audit", repeatable=True, query={"action": action, "from": from_, "to": to, "limit": limit, "cursor": cursor}
        )
        return read(received, models.SecurityEventList)

    def iter_own_audit(
        self,
        *,
        action: str | Sequence[str] | None = None,
        from_: str | datetime | None = None,
        to: str | datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[models.SecurityEvent]:
        """Each of `list_own_audit`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_own_audit(action=action, from_=from_, to=to, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_ops_health(self) -> models.OpsHealth:
        """Get the health of the marketplace.

        Returns what waits and how old it is: orders, the outbox, the feed, deliveries, mails, drops; and the workers and
        schedules as they last reported. Operators call it with the scope ops:read.
        """
        received = self._send("GET", "/ops/health", repeatable=True)
        return read(received, models.OpsHealth)

    def list_ops_orders(
        self,
        *,
        state: Literal["open", "stuck", "overdue"] | str | None = None,
        reason: str | None = None,
        order_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.OpsOrderList:
        """List orders that need an operator.

        Returns the orders of every tenant that are open, stuck or overdue, without lines, prices and names. Operators call it
        with the scope ops:read.

        state: open: every order that has not ended, the oldest first. stuck: those of them that do not get on, the oldest
            first. overdue: those whose decision is overdue, the longest overdue first.
        reason: Lists the stuck orders with this stuck_reason; for state=stuck alone.
        order_id: Lists this order alone, ended or not; state is ignored.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET",
            "/ops/orders",
            repeatable=True,
            query={"state": state, "reason": reason, "order_id": order_id, "limit": limit, "cursor": cursor},
        )
        return read(received, models.OpsOrderList)

    def iter_ops_orders(
        self,
        *,
        state: Literal["open", "stuck", "overdue"] | str | None = None,
        reason: str | None = None,
        order_id: str | None = None,
        limit: int | None = None,
    ) -> Iterator[models.OpsOrder]:
        """Each of `list_ops_orders`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_ops_orders(state=state, reason=reason, order_id=order_id, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_ops_order(self, order_id: str) -> models.OpsOrderRead:
        """Get an order as operators see it.

        Returns one order of any tenant, ended or not, with its timeline: when it moved and by which kind of decision, without
        its content. Operators call it with the scope ops:read.

        order_id: The id of the order.
        """
        received = self._send("GET", f"/ops/orders/{segment(order_id)}", repeatable=True)
        return read(received, models.OpsOrderRead)

    def wake_order(self, order_id: str) -> models.WokenOrder:
        """Wake the run of an order.

        Makes the run of an order look at its log again, and starts it if it is gone. It decides nothing and changes nothing of
        the order: a look that finds nothing to do has no effect. While a look is waiting, a repeat adds none. Every call is in
        the audit log. Operators call it with the scope ops:write.

        order_id: The id of the order.
        """
        received = self._send("POST", f"/ops/orders/{segment(order_id)}/wake", repeatable=True)
        return read(received, models.WokenOrder)

    def list_ops_deliveries(
        self, *, state: Literal["waiting", "failing"] | str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.OpsEndpointList:
        """List webhook endpoints with a backlog or failures.

        Returns the webhook endpoints of every tenant whose deliveries wait or fail, by endpoint_id, with the host of their URL
        alone. Operators call it with the scope ops:read.

        state: waiting: endpoints with deliveries that wait. failing: endpoints whose attempts fail, or that are disabled. Both
            if omitted.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/ops/deliveries", repeatable=True, query={"state": state, "limit": limit, "cursor": cursor})
        return read(received, models.OpsEndpointList)

    def iter_ops_deliveries(
        self, *, state: Literal["waiting", "failing"] | str | None = None, limit: int | None = None
    ) -> Iterator[models.OpsEndpoint]:
        """Each of `list_ops_deliveries`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_ops_deliveries(state=state, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_endpoint_deliveries(
        self,
        endpoint_id: str,
        *,
        status: Literal["pending", "delivered", "dropped"] | str | None = None,
        order_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.DeliveryList:
        """List the deliveries of an endpoint of a tenant.

        Returns the deliveries of one endpoint with their attempts, newest first, for 30 days. What was sent is not included.
        Operators call it with the scope ops:read.

        endpoint_id: The id of a webhook endpoint.
        status: Returns only entries with this status; all entries if omitted.
        order_id: Returns only deliveries of events of this order.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET",
            f"/ops/deliveries/{segment(endpoint_id)}",
            repeatable=True,
            query={"status": status, "order_id": order_id, "limit": limit, "cursor": cursor},
        )
        return read(received, models.DeliveryList)

    def iter_endpoint_deliveries(
        self,
        endpoint_id: str,
        *,
        status: Literal["pending", "delivered", "dropped"] | str | None = None,
        order_id: str | None = None,
        limit: int | None = None,
    ) -> Iterator[models.Delivery]:
        """Each of `list_endpoint_deliveries`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_endpoint_deliveries(endpoint_id, status=status, order_id=order_id, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def resend_delivery(self, endpoint_id: str, delivery_id: str) -> models.Delivery:
        """Send a delivery of a tenant again.

        Sends the event of one delivery again to the same endpoint, as a new delivery with the same event_id. It does not wait
        for the receiver. Each call sends it once more, and is in the audit log. Operators call it with the scope ops:write.

        endpoint_id: The id of a webhook endpoint.
        delivery_id: The id of one delivery of one event to one endpoint.
        """
        received = self._send("POST", f"/ops/deliveries/{segment(endpoint_id)}/{segment(delivery_id)}/resend", repeatable=False)
        return read(received, models.Delivery)

    def list_ops_drops(
        self, *, state: Literal["processing", "faulty"] | str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.OpsDropList:
        """List file drops.

        Returns the file drops of every seller with their stage and counts, without the contents of files. Operators call it
        with the scope ops:read.

        state: processing: drops in progress, the oldest first. faulty: drops that ended with refused rows or files, the newest
            first. All, the newest first, if omitted.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/ops/drops", repeatable=True, query={"state": state, "limit": limit, "cursor": cursor})
        return read(received, models.OpsDropList)

    def iter_ops_drops(
        self, *, state: Literal["processing", "faulty"] | str | None = None, limit: int | None = None
    ) -> Iterator[models.OpsDrop]:
        """Each of `list_ops_drops`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_ops_drops(state=state, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_ops_mails(
        self, *, state: Literal["waiting", "failed"] | str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> models.OpsMailList:
        """List order mails that wait or failed.

        Returns the order mails of every tenant that are not sent yet or did not arrive, with the reason, without addresses and
        documents. Operators call it with the scope ops:read.

        state: waiting: mails that are not sent yet, the oldest first. failed: mails that failed or came back, the newest first.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/ops/mails", repeatable=True, query={"state": state, "limit": limit, "cursor": cursor})
        return read(received, models.OpsMailList)

    def iter_ops_mails(
        self, *, state: Literal["waiting", "failed"] | str | None = None, limit: int | None = None
    ) -> Iterator[models.OpsMail]:
        """Each of `list_ops_mails`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_ops_mails(state=state, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_ops_connections(self, *, limit: int | None = None, cursor: str | None = None) -> models.OpsConnectionList:
        """List sellers' own APIs.

        Returns the sellers that declare an API of their own, by name, with what came of asking it about the orders that wait.
        Operators call it with the scope ops:read.

        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send("GET", "/ops/connections", repeatable=True, query={"limit": limit, "cursor": cursor})
        return read(received, models.OpsConnectionList)

    def iter_ops_connections(self, *, limit: int | None = None) -> Iterator[models.OpsConnection]:
        """Each of `list_ops_connections`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_ops_connections(limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_ops_audit(
        self,
        *,
        action: str | Sequence[str] | None = None,
        from_: str | datetime | None = None,
        to: str | datetime | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> models.SecurityEventList:
        """List audit log entries.

        Returns what changed for the tenant and who changed it, newest first: tokens, rules, capabilities, secrets, agreements,
        endpoints and refused sign-ins. Order events are not included, and no entry shows a secret. Operators call it with the
        scope audit:read.

        action: Actions, separated by commas; all actions if omitted.
        from_: Returns only entries from this UTC time on, inclusive.
        to: Returns only entries before this UTC time.
        limit: The highest number of entries on the page.
        cursor: The next_cursor of the previous page; the first page if omitted.
        """
        received = self._send(
            "GET", "/ops/audit", repeatable=True, query={"action": action, "from": from_, "to": to, "limit": limit, "cursor": cursor}
        )
        return read(received, models.SecurityEventList)

    def iter_ops_audit(
        self,
        *,
        action: str | Sequence[str] | None = None,
        from_: str | datetime | None = None,
        to: str | datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[models.SecurityEvent]:
        """Each of `list_ops_audit`, from all pages; limit is the size of a page."""
        cursor: str | None = None
        while True:
            page = self.list_ops_audit(action=action, from_=from_, to=to, limit=limit, cursor=cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return
