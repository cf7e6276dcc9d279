"""Addresses of the lending API."""

from django.urls import path

from loans import api, desk_api

app_name = "loans-api"
urlpatterns = [
    path("loans/", api.Loans.as_view(), name="loans"),
    path("check-ins/", api.CheckIns.as_view(), name="check-ins"),
    path("renewals/", api.Renewals.as_view(), name="renewals"),
    path("renewals/all/", desk_api.RenewalsOfAll.as_view(), name="renewals-all"),
    path("swaps/", desk_api.Swaps.as_view(), name="swaps"),
    path("undos/", desk_api.Undos.as_view(), name="undos"),
    path("loans/list/", desk_api.LoanLists.as_view(), name="loan-lists"),
]
