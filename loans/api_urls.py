"""Addresses of the lending API."""

from django.urls import path

from loans import api, members_api, money_api

app_name = "loans-api"
urlpatterns = [
    path("loans/", api.Loans.as_view(), name="loans"),
    path("check-ins/", api.CheckIns.as_view(), name="check-ins"),
    path("renewals/", api.Renewals.as_view(), name="renewals"),
    path("money/", money_api.Standing.as_view(), name="money"),
    path("money/entries/", money_api.Entries.as_view(), name="money-entries"),
    path("charges/", money_api.Charges.as_view(), name="charges"),
    path("payments/", money_api.Payments.as_view(), name="payments"),
    path("reversals/", money_api.Reversals.as_view(), name="reversals"),
    path("me/money/", money_api.MyStanding.as_view(), name="my-money"),
    path("members/", members_api.Members.as_view(), name="members"),
    path("members/<int:pk>/", members_api.OneMember.as_view(), name="member"),
    path("members/<int:pk>/memberships/", members_api.Sales.as_view(), name="memberships"),
    path("members/<int:pk>/blocks/", members_api.Blocks.as_view(), name="blocks"),
    path("blocks/<int:pk>/lift/", members_api.Lift.as_view(), name="block-lift"),
    path("policies/", members_api.Policies.as_view(), name="policies"),
    path("policies/<int:pk>/", members_api.OnePolicy.as_view(), name="policy"),
    path("policies/decided/", members_api.Decisions.as_view(), name="policies-decided"),
]
