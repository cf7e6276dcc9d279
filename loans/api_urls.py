"""Addresses of the lending API."""

from django.urls import path

from loans import api, calendar_api, desk_api, holds_api, kept_api, members_api

app_name = "loans-api"
urlpatterns = [
    path("loans/", api.Loans.as_view(), name="loans"),
    path("check-ins/", api.CheckIns.as_view(), name="check-ins"),
    path("renewals/", api.Renewals.as_view(), name="renewals"),
    path("renewals/all/", desk_api.RenewalsOfAll.as_view(), name="renewals-all"),
    path("swaps/", desk_api.Swaps.as_view(), name="swaps"),
    path("undos/", desk_api.Undos.as_view(), name="undos"),
    path("loans/list/", desk_api.LoanLists.as_view(), name="loan-lists"),
    path("desk/scans/", kept_api.KeptScans.as_view(), name="kept-scans"),
    path("holds/", holds_api.Holds.as_view(), name="holds"),
    path("holds/<int:pk>/move/", holds_api.HoldMoves.as_view(), name="hold-move"),
    path("holds/<int:pk>/shelve/", holds_api.HoldShelvings.as_view(), name="hold-shelve"),
    path("holds/<int:pk>/cancel/", holds_api.HoldCancellations.as_view(), name="hold-cancel"),
    path("me/holds/", holds_api.MyHolds.as_view(), name="my-holds"),
    path("me/holds/<int:pk>/cancel/", holds_api.MyHoldCancellations.as_view(), name="my-hold-cancel"),
    path("bookings/", holds_api.Bookings.as_view(), name="bookings"),
    path("bookings/<int:pk>/cancel/", holds_api.BookingCancellations.as_view(), name="booking-cancel"),
    path("transfers/", holds_api.Transfers.as_view(), name="transfers"),
    path("transfers/receive/", holds_api.TransferArrivals.as_view(), name="transfers-receive"),
    path("members/", members_api.Members.as_view(), name="members"),
    path("members/<int:pk>/", members_api.OneMember.as_view(), name="member"),
    path("members/<int:pk>/memberships/", members_api.Sales.as_view(), name="memberships"),
    path("members/<int:pk>/blocks/", members_api.Blocks.as_view(), name="blocks"),
    path("blocks/<int:pk>/lift/", members_api.Lift.as_view(), name="block-lift"),
    path("policies/", members_api.Policies.as_view(), name="policies"),
    path("policies/<int:pk>/", members_api.OnePolicy.as_view(), name="policy"),
    path("policies/decided/", members_api.Decisions.as_view(), name="policies-decided"),
    path("calendar/days/", calendar_api.Days.as_view(), name="calendar-days"),
    path("calendar/openings/", calendar_api.Openings.as_view(), name="calendar-openings"),
    path("calendar/openings/<int:pk>/", calendar_api.OneOpening.as_view(), name="calendar-opening"),
    path("calendar/closures/", calendar_api.Closures.as_view(), name="calendar-closures"),
    path("calendar/closures/<int:pk>/", calendar_api.OneClosure.as_view(), name="calendar-closure"),
]
